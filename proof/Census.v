(** * The census in parts

    What has to be computed, and that it gives the claims about the winner: a sum for each choice of the first
    three cards after red's jack. Each part is one file that Coq can check on its own. *)
From Coq Require Import List Arith NArith Lia Permutation Uint63 PArray Bool.
From Collapsi Require Import Rules Solver Tables Sound Count Symmetry.
Import ListNotations.
Open Scope N_scope.
Local Notation length := List.length.

Fixpoint prefixes (m : nat) (r : list card) (g : bag) : list (list card * bag) :=
  match m with
  | O => [(r, g)]
  | S m => flat_map (fun p => prefixes m (fst p :: r) (snd p)) (picks g)
  end.
Lemma tally_prefixes leaf n : forall m r g,
  tally leaf (m + n) g r 0 = total (fun p => tally leaf n (snd p) (fst p) 0) (prefixes m r g).
Proof.
  induction m as [|m IH]; intros r g.
  - unfold total. cbn. lia.
  - cbn [Nat.add prefixes]. rewrite tally_parts, N.add_0_l. induction (picks g) as [|p l IHl]; [easy|].
    cbn [flat_map]. rewrite total_app, <- IHl, <- IH. reflexivity.
Qed.

(** ** Where blue's jack leaves no weight, the other cards need not be looked at *)
Definition weighty : list nat := [8; 10; 11; 12]%nat.
Lemma no_weight b k1 k3 k4 k12 : (b < 16)%nat -> b <> 0%nat -> existsb (Nat.eqb b) weighty = false ->
  weigh b k1 k3 k4 k12 = 0.
Proof.
  intros H N W. do 16 (destruct b as [|b]; [try discriminate; try lia;
    destruct k1, k3, k4, k12; reflexivity|]). lia.
Qed.
(** Cards, the last first, with blue's jack on another cell. *)
Fixpoint hopeless (r : list card) : bool :=
  match r with
  | [] => false
  | BlueJack :: r => negb (existsb (Nat.eqb (length r)) weighty)
  | _ :: r => hopeless r
  end.
Lemma hopeless_weight r ks : is_corner_deal (rev_append r ks) -> hopeless r = true ->
  weight (rev_append r ks) = 0.
Proof.
  intros H Hr.
  assert (E : exists c, lies (rev_append r ks) c BlueJack /\ existsb (Nat.eqb c) weighty = false).
  { clear H. revert ks. induction r as [|k r IH]; intros ks; [easy|]. cbn [rev_append].
    destruct k; try (exact (IH Hr _)). cbn [hopeless] in Hr. apply negb_true_iff in Hr.
    exists (length r). split; [|easy]. unfold lies.
    rewrite rev_append_rev, nth_error_app2 by (rewrite rev_length; lia).
    now rewrite rev_length, Nat.sub_diag. }
  destruct E as (c & Hc & W). destruct (jacks _ H) as (_ & _ & Hb & H16 & H0). apply Hb in Hc. subst c.
  apply no_weight; auto.
Qed.

Section Promising.
Variable leaf : list card -> N.
Hypothesis no_leaf : forall d, is_corner_deal d -> weight d = 0 -> leaf (rev' d) = 0.

(** [tally], as far as it is not hopeless. *)
Fixpoint tally_promising (n : nat) (g : bag) (r : list card) (acc : N) : N :=
  if hopeless r then acc
  else match n with
  | O => acc + leaf r
  | S n => fold_left (fun acc p => tally_promising n (snd p) (fst p :: r) acc) (picks g) acc
  end.

Definition completes (n : nat) (g : bag) (r : list card) :=
  forall ks, In ks (arrangements n g) -> is_corner_deal (rev_append r ks).
Lemma completes_pick n g r p : completes (S n) g r -> In p (picks g) -> completes n (snd p) (fst p :: r).
Proof.
  intros H Hp ks Hk. apply (H (fst p :: ks)). apply in_flat_map. exists p. split; [easy|]. now apply in_map.
Qed.

Lemma tally_promising_ok n : forall g r acc, completes n g r ->
  tally_promising n g r acc = tally leaf n g r acc.
Proof.
  induction n as [|n IH]; intros g r acc H; cbn [tally_promising]; destruct (hopeless r) eqn:E.
  1, 3: rewrite tally_total, (total_ext _ (fun _ => 0)); [rewrite total_const; lia|];
    intros ks Hk; pose proof (no_leaf _ (H ks Hk) (hopeless_weight r ks (H ks Hk) E)) as Z;
    unfold rev' in Z; rewrite !rev_append_rev, app_nil_r, rev_app_distr, rev_involutive in Z;
    now rewrite rev_append_rev.
  - reflexivity.
  - cbn [tally]. assert (P : forall p, In p (picks g) -> completes n (snd p) (fst p :: r))
      by (intros p; now apply completes_pick).
    revert acc. induction (picks g) as [|p l IHl]; intros acc; [easy|]. cbn [fold_left].
    rewrite IH by (apply P; now left). apply IHl. intros q Hq. apply P. now right.
Qed.
Lemma completes_prefix n p : forall m r g, completes (m + n) g r -> In p (prefixes m r g) ->
  completes n (snd p) (fst p).
Proof.
  induction m as [|m IH]; intros r g H; cbn [prefixes].
  - intros [<-|[]]. exact H.
  - rewrite in_flat_map. intros (q & Hq & Hp). apply (IH (fst q :: r) (snd q)); [|easy].
    now apply completes_pick with (g := g).
Qed.

(** The sum of the parts is the sum over all deals. *)
Theorem promising_parts :
  total (fun p => tally_promising 12 (snd p) (fst p) 0) (prefixes 3 [RedJack] rest) =
  total (fun d => leaf (rev' d)) corner_deals.
Proof.
  rewrite <- total_corner. change 15%nat with (3 + 12)%nat. rewrite tally_prefixes.
  apply total_ext. intros p Hp. apply tally_promising_ok. apply completes_prefix with (2 := Hp).
  intros ks Hk. apply corner_deals_in. unfold corner_deals. apply in_map. exact Hk.
Qed.
End Promising.

(** The tables are variables here: Coq would otherwise compute them when it compares terms. *)
Section Census.
Variable first : list nat.
Hypothesis Hfirst : some_steps first.
Variable ts : list (list table).
Hypothesis Hts : all_ok first ts.
Variable L : array (list int).
Hypothesis HL : forall s, small s -> L.[s] = map int_of (cells_of s).

(** ** One deal *)
Definition red (d : deal) : bool := solve ts L 16 d 0%nat (find_blue d).

Lemma red_ok d : is_corner_deal d ->
  (red_wins first d <-> red d = true) /\ (blue_wins first d <-> negb (red d) = true).
Proof.
  intros H. destruct (jacks d H) as (Hl & Hr & Hb & H16 & H0).
  assert (Z : (0 < 16)%nat) by lia.
  destruct (solve_winner first Hfirst ts Hts L HL d 0%nat (find_blue d) Hl Z H16 H0) as [W B].
  unfold red. rewrite negb_true_iff, W, B. unfold red_wins, blue_wins, red_wins_within, blue_wins_within,
  wins, loses.
  split; split.
  - intros (n & r & b & Lr & Lb & X). apply Hr in Lr. apply Hb in Lb. exists n. now subst.
  - intros (n & X). exists n, 0%nat, (find_blue d). now rewrite Hr, Hb.
  - intros (n & r & b & Lr & Lb & X). apply Hr in Lr. apply Hb in Lb. exists n. now subst.
  - intros (n & X). exists n, 0%nat, (find_blue d). now rewrite Hr, Hb.
Qed.
Lemma red_kept g d : good g = true -> is_corner_deal d -> red (moved g d) = red d.
Proof.
  intros G H. pose proof (moved_corner g d G H) as H'. destruct (red_ok d H) as [A _].
  destruct (red_ok _ H') as [A' _]. destruct (jacks d H) as (Hd & _).
  pose proof (moved_red first g d (proj1 (good_corner g G)) Hd) as M.
  apply eq_true_iff_eq. now rewrite <- A, <- A', M.
Qed.

(** ** All deals *)
(** What counts for a deal (its cards in reverse): its weight if red wins. Deals of weight 0 are not solved.
    *)
Definition red_leaf (r : list card) : N :=
  let d := rev' r in let w := weight d in if w =? 0 then 0 else if red d then w else 0.

Lemma red_leaf_0 d : is_corner_deal d -> weight d = 0 -> red_leaf (rev' d) = 0.
Proof. intros _ H. unfold red_leaf, rev'. rewrite <- !rev_alt, rev_involutive. now rewrite H. Qed.
Lemma red_total D : NoDup D -> (forall d, In d D <-> is_corner_deal d) ->
  total (fun d => if red d then 1 else 0) D = total (fun d => red_leaf (rev' d)) D.
Proof.
  intros HN HI. rewrite (weighted_sum D (fun d => if red d then 1 else 0) HN HI).
  - apply total_ext. intros d _. unfold red_leaf, rev'. rewrite <- !rev_alt, rev_involutive.
    destruct (N.eqb_spec (weight d) 0) as [->|_]; [lia|]. destruct (red d); lia.
  - intros g d G H. now rewrite red_kept.
Qed.

Lemma sizes_of D : NoDup D -> (forall d, In d D <-> is_corner_deal d) ->
  size is_corner_deal (total (fun _ => 1) D) /\
  winners first is_corner_deal (total (fun d => if red d then 1 else 0) D)
    (total (fun _ => 1) D - total (fun d => if red d then 1 else 0) D).
Proof.
  intros HN HI. split; [|split].
  - apply size_iff with (P := fun d => In d D /\ true = true).
    + intros d. rewrite HI. tauto.
    + exact (size_total (fun _ => true) D HN).
  - apply size_iff with (P := fun d => In d D /\ red d = true).
    + intros d. rewrite HI. split; intros [H X]; (split; [easy|]); now apply (red_ok d H).
    + exact (size_total red D HN).
  - apply size_iff with (P := fun d => In d D /\ negb (red d) = true).
    + intros d. rewrite HI. split; intros [H X]; (split; [easy|]); now apply (red_ok d H).
    + assert (E : total (fun _ => 1) D - total (fun d => if red d then 1 else 0) D =
                  total (fun d => if negb (red d) then 1 else 0) D).
      * clear. unfold total. induction D as [|d l IH]; [easy|]. cbn [map sum].
        assert (sum (map (fun d => if red d then 1 else 0) l) <= sum (map (fun _ => 1) l)).
        { clear. induction l as [|d l IH]; cbn [map sum]; [easy|]. destruct (red d); lia. }
        destruct (red d); cbn [negb]; lia.
      * rewrite E. exact (size_total (fun d => negb (red d)) D HN).
Qed.

Theorem census deals wins :
  tally (fun _ => 1) 15 rest [RedJack] 0 = deals ->
  total (fun p => tally_promising red_leaf 12 (snd p) (fst p) 0) (prefixes 3 [RedJack] rest) = wins ->
  size is_corner_deal deals /\ winners first is_corner_deal wins (deals - wins).
Proof.
  intros HA HR. rewrite (promising_parts red_leaf red_leaf_0) in HR. rewrite total_corner in HA.
  unfold deal in *.
  pose proof (sizes_of corner_deals corner_deals_nodup corner_deals_in) as S.
  pose proof (red_total corner_deals corner_deals_nodup corner_deals_in) as T. unfold deal in *.
  rewrite T, HR, HA in S. exact S.
Qed.
End Census.

(** ** What the generated files compute. The tables are constants, so that a file computes them once. *)
Definition standard_tables := all_tables standard.
Definition joker_tables := all_tables joker.
Lemma standard_steps : some_steps standard. Proof. repeat constructor. Qed.
Lemma joker_steps : some_steps joker. Proof. repeat constructor. Qed.

Definition part_standard (cards : list card) (left : bag) : N :=
  tally_promising (red_leaf standard_tables lists) 12 left cards 0.

Theorem standard_by_parts :
  tally (fun _ => 1) 15 rest [RedJack] 0 = 47297250 ->
  total (fun p => part_standard (fst p) (snd p)) (prefixes 3 [RedJack] rest) = 36752487 -> claim.
Proof.
  exact (census standard standard_steps standard_tables (all_tables_ok standard standard_steps)
    lists lists_get 47297250 36752487).
Qed.
