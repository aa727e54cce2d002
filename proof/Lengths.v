(** * How long perfect play takes

    The claim about lengths: a deal is searched with fewer and fewer plies until the winner can no longer win
    in time. The counts of all lengths are the digits of one number in base 2^26, so one computation gives
    them all. A last digit counts the deals whose length was not found; it is 0. *)
From Coq Require Import List Arith NArith Lia Permutation Uint63 PArray Bool.
From Collapsi Require Import Rules Solver Tables Sound Count Symmetry Census.
Import ListNotations.
Open Scope nat_scope.
Local Notation length := List.length.

(** ** A winner makes the last move, and two cards stay *)
Section Plies.
Variables (first : list nat) (d : deal).
Hypothesis Hfirst : some_steps first.
Notation legal := (legal first d).
Notation wins_within := (wins_within first d).
Notation loses_within := (loses_within first d).

Lemma last_ply n : forall p, (Nat.odd n = false -> wins_within (S (S n)) p -> wins_within (S n) p) /\
  (Nat.odd n = false -> loses_within (S n) p -> loses_within n p).
Proof.
  induction n as [n IH] using lt_wf_ind. assert (L : forall p, Nat.odd n = false -> loses_within (S n) p ->
    loses_within n p).
  { intros p E H. destruct n as [|[|n]]; [|discriminate|].
    - apply cannot_move. intros e He. exact (H e He).
    - rewrite loses_S in *. intros e He. apply (IH n); [lia | easy | now apply H]. }
  intros p. split; [|apply L]. intros E (e & He & H). exists e. split; [easy|]. now apply L.
Qed.

Lemma three_cards p e : proper p -> legal p e -> 3 <= cards p.
Proof.
  intros (Hm & Ho & N) [Hr Hne]. apply (reachable_in first Hfirst d) in Hr. destruct Hr as [He Hem].
  apply (NoDup_incl_length (l := [mover p; other p; e])).
  - constructor; [|constructor; [|constructor; [easy | constructor]]]; cbn; intuition.
  - intros x [<-|[<-|[<-|[]]]]; easy.
Qed.
Lemma two_stay n : forall p, proper p ->
  (wins_within n p -> wins_within (cards p - 2) p) /\ (loses_within n p -> loses_within (cards p - 2) p).
Proof.
  induction n as [|n IH]; intros p Hp.
  - split; [easy|]. intros H. apply cannot_move. now apply loses_0.
  - split.
    + intros (e & He & H). pose proof (three_cards p e Hp He) as H3. pose proof (after_cards p e Hp) as Hc.
      destruct (cards p - 2) as [|c] eqn:Ec; [lia|]. exists e. split; [easy|].
      apply (more_plies _ _ (cards (after p e) - 2)); [lia|].
      apply IH; [now apply (after_proper first Hfirst d) | easy].
    + rewrite loses_S. intros H. destruct (cards p - 2) as [|c] eqn:Ec.
      * apply cannot_move. intros e He. pose proof (three_cards p e Hp He). lia.
      * rewrite loses_S. intros e He. pose proof (after_cards p e Hp) as Hc.
        apply (more_plies _ _ (cards (after p e) - 2)); [lia|].
        apply IH; [now apply (after_proper first Hfirst d) | now apply H].
Qed.
End Plies.

(** ** The length of a deal, by its answers for some numbers of plies
    (odd: red wins within them; even: blue does not) *)
Definition unknown := 8.
Definition length_code (answer : nat -> bool) : nat :=   (* the length less 7 *)
  if answer 16
  then
    if answer 11 then if answer 9 then if answer 7 then if answer 5 then unknown else 0 else 2 else 4 else 6
  else if answer 12 then 7 else if answer 10 then 5 else if answer 8 then 3 else if answer 6 then 1
  else unknown.

Section Lengths.
Variable first : list nat.
Hypothesis Hfirst : some_steps first.
Variable ts : list (list table).
Hypothesis Hts : all_ok first ts.
Variable L : array (list int).
Hypothesis HL : forall s, small s -> L.[s] = map int_of (cells_of s).

Definition code (d : deal) : nat := 
  let rows := rows_of ts d in let good := good_cells 0%uint63 d in let b := int_of (find_blue d) in
  length_code (fun n => search_deal L rows good n (int_of 0) b).
Lemma code_solve d : code d = length_code (fun n => solve ts L n d 0 (find_blue d)).
Proof. reflexivity. Qed.

Section Deal.
Variable d : deal.
Hypothesis Hd : is_corner_deal d.
Notation answer n := (solve ts L n d 0 (find_blue d)).
Notation red n := (red_wins_within first d n).
Notation blue n := (blue_wins_within first d n).

Lemma red_start n : red n <-> wins_within first d n (start 0 (find_blue d)).
Proof.
  destruct (jacks d Hd) as (_ & Hr & Hb & _). split.
  - intros (r & b & Lr & Lb & X). apply Hr in Lr. apply Hb in Lb. now subst.
  - intros X. exists 0, (find_blue d). now rewrite Hr, Hb.
Qed.
Lemma blue_start n : blue n <-> loses_within first d n (start 0 (find_blue d)).
Proof.
  destruct (jacks d Hd) as (_ & Hr & Hb & _). split.
  - intros (r & b & Lr & Lb & X). apply Hr in Lr. apply Hb in Lb. now subst.
  - intros X. exists 0, (find_blue d). now rewrite Hr, Hb.
Qed.
Lemma red_more n m : n <= m -> red n -> red m.
Proof. intros H. rewrite !red_start. now apply more_plies. Qed.
Lemma blue_more n m : n <= m -> blue n -> blue m.
Proof. intros H. rewrite !blue_start. now apply more_plies. Qed.
Lemma red_or_blue n m : red n -> blue m -> False.
Proof. rewrite red_start, blue_start. apply not_both. Qed.
Lemma red_odd n : Nat.odd n = false -> red (S (S n)) -> red (S n).
Proof. intros E. rewrite !red_start. now apply last_ply. Qed.
Lemma blue_even n : Nat.odd n = false -> blue (S n) -> blue n.
Proof. intros E. rewrite !blue_start. now apply last_ply. Qed.

Lemma start_proper : proper (start 0 (find_blue d)).
Proof.
  destruct (jacks d Hd) as (_ & _ & _ & H16 & N). repeat split; cbn [mover other face_up start]; [| |easy];
    apply in_seq; lia.
Qed.
Lemma red_13 n : red n -> red 13.
Proof.
  intros H. apply (red_odd 12); [easy|]. revert H. rewrite !red_start. intros H.
  exact (proj1 (two_stay first d Hfirst n _ start_proper) H).
Qed.
Lemma blue_14 n : blue n -> blue 14.
Proof. rewrite !blue_start. intros H. exact (proj2 (two_stay first d Hfirst n _ start_proper) H). Qed.

Lemma answer_winner : if answer 16 then red 13 else blue 14.
Proof.
  destruct (jacks d Hd) as (Hl & _ & _ & H16 & H0). assert (Z : 0 < 16) by lia.
  destruct (solve_winner first Hfirst ts Hts L HL d 0 (find_blue d) Hl Z H16 H0) as [W B].
  destruct (answer 16).
  - destruct (proj1 W eq_refl) as (n & X). apply (red_13 n). now apply red_start.
  - destruct (proj1 B eq_refl) as (n & X). apply (blue_14 n). now apply blue_start.
Qed.
Lemma answer_odd n : Nat.odd (S n) = true -> if answer (S n) then red (S n) else ~ red (S n).
Proof.
  intros E. destruct (jacks d Hd) as (Hl & _ & _ & H16 & H0). assert (Z : 0 < 16) by lia.
  pose proof (solve_within first Hfirst ts Hts L HL d 0 (find_blue d) Hl Z H16 H0 n) as H.
  unfold succeeds, fails in H. rewrite E in H. destruct (answer (S n)); now rewrite red_start.
Qed.
Lemma answer_even n : Nat.odd (S n) = false -> if answer (S n) then ~ blue (S n) else blue (S n).
Proof.
  intros E. destruct (jacks d Hd) as (Hl & _ & _ & H16 & H0). assert (Z : 0 < 16) by lia.
  pose proof (solve_within first Hfirst ts Hts L HL d 0 (find_blue d) Hl Z H16 H0 n) as H.
  unfold succeeds, fails in H. rewrite E in H. destruct (answer (S n)); now rewrite blue_start.
Qed.

(** Red wins within [n + 3] plies, not within [n + 1] ([n] even): the game lasts [n + 3]. *)
Lemma red_lasts n : Nat.odd n = false -> red (S (S (S n))) -> ~ red (S n) -> lasts first d (S (S (S n))).
Proof.
  intros E H N. split; [now left|]. intros m Hm [R|B].
  - apply N, red_odd; [easy|]. apply (red_more m); [lia | easy].
  - exact (red_or_blue _ _ H B).
Qed.
Lemma blue_lasts n : Nat.odd n = false -> blue (S (S n)) -> ~ blue n -> lasts first d (S (S n)).
Proof.
  intros E H N. split; [now right|]. intros m Hm [R|B].
  - exact (red_or_blue _ _ R H).
  - apply N, blue_even; [easy|]. apply (blue_more m); [lia | easy].
Qed.

Lemma lasts_once n m : lasts first d n -> lasts first d m -> n = m.
Proof.
  intros [Hn Bn] [Hm Bm]. destruct (lt_eq_lt_dec n m) as [[H|H]|H]; [|easy|]; exfalso.
  - exact (Bm n H Hn).
  - exact (Bn m H Hm).
Qed.

Lemma code_lasts : code d = unknown \/ code d < 8 /\ lasts first d (7 + code d).
Proof.
  rewrite code_solve. unfold length_code.
  pose proof answer_winner as W.
  pose proof (answer_odd 10 eq_refl) as A11. pose proof (answer_odd 8 eq_refl) as A9.
  pose proof (answer_odd 6 eq_refl) as A7. pose proof (answer_odd 4 eq_refl) as A5.
  pose proof (answer_even 11 eq_refl) as A12. pose proof (answer_even 9 eq_refl) as A10.
  pose proof (answer_even 7 eq_refl) as A8. pose proof (answer_even 5 eq_refl) as A6.
  destruct (answer 16).
  - destruct (answer 11); [|right; split; [lia | now apply (red_lasts 10)]].
    destruct (answer 9); [|right; split; [lia | now apply (red_lasts 8)]].
    destruct (answer 7); [|right; split; [lia | now apply (red_lasts 6)]].
    destruct (answer 5); [now left | right; split; [lia | now apply (red_lasts 4)]].
  - destruct (answer 12); [right; split; [lia | now apply (blue_lasts 12)]|].
    destruct (answer 10); [right; split; [lia | now apply (blue_lasts 10)]|].
    destruct (answer 8); [right; split; [lia | now apply (blue_lasts 8)]|].
    destruct (answer 6); [right; split; [lia | now apply (blue_lasts 6)] | now left].
Qed.
Lemma code_le : code d <= 8.
Proof. destruct code_lasts as [->|[H _]]; [apply le_n | lia]. Qed.
End Deal.

(** ** Symmetries keep the length *)
Lemma answer_kept g d n : good g = true -> is_corner_deal d ->
  solve ts L (S n) (moved g d) 0 (find_blue (moved g d)) = solve ts L (S n) d 0 (find_blue d).
Proof.
  intros G H. pose proof (moved_corner g d G H) as H'. destruct (jacks d H) as (Hd & _).
  destruct (moved_wins first g d (S n) (proj1 (good_corner g G)) Hd) as [R B].
  destruct (Nat.odd (S n)) eqn:E.
  - pose proof (answer_odd d H n E) as A. pose proof (answer_odd _ H' n E) as A'.
    destruct (solve ts L (S n) d 0 _), (solve ts L (S n) (moved g d) 0 _); tauto.
  - pose proof (answer_even d H n E) as A. pose proof (answer_even _ H' n E) as A'.
    destruct (solve ts L (S n) d 0 _), (solve ts L (S n) (moved g d) 0 _); tauto.
Qed.
Lemma code_kept g d : good g = true -> is_corner_deal d -> code (moved g d) = code d.
Proof. intros G H. rewrite !code_solve. unfold length_code. now rewrite !(answer_kept g d) by easy. Qed.

(** ** All counts in one number *)
Open Scope N_scope.
Definition base : N := 67108864.
Definition powers : list N := map (fun i => base ^ N.of_nat i) (seq 0 9).
Definition power (i : nat) : N := nth i powers 0.
Fixpoint value (digits : list N) : N := match digits with [] => 0 | x :: l => x + base * value l end.

Lemma value_unique a : forall b, List.length a = List.length b -> Forall (fun x => x < base) a ->
  Forall (fun x => x < base) b -> value a = value b -> a = b.
Proof.
  induction a as [|x a IH]; intros [|y b] Hl Ha Hb E; try easy. cbn [value] in E.
  inversion Ha as [|? ? Hx Ha']; subst. inversion Hb as [|? ? Hy Hb']; subst. injection Hl as Hl.
  rewrite (N.add_comm x), (N.add_comm y) in E.
  destruct (N.div_mod_unique base _ _ _ _ Hx Hy E) as [E1 E2]. f_equal; [easy | now apply IH].
Qed.

Definition has_code (i : nat) (d : deal) : N := if Nat.eqb (code d) i then 1 else 0.
Definition count_code D (i : nat) : N := total (has_code i) D.

Lemma power_code c : (c <= 8)%nat ->
  total (fun i => power i * (if Nat.eqb c i then 1 else 0)) (seq 0 9) = power c.
Proof. intros H. do 9 (destruct c as [|c]; [vm_compute; reflexivity|]). lia. Qed.
Lemma power_base i : In i (seq 0 9) -> power i = base ^ N.of_nat i.
Proof. intros H. apply in_seq in H. do 9 (destruct i as [|i]; [reflexivity|]). lia. Qed.
Lemma value_powers f n : forall k,
  total (fun i => base ^ N.of_nat i * f i) (seq k n) = base ^ N.of_nat k * value (map f (seq k n)).
Proof.
  induction n as [|n IH]; intros k; cbn [seq map value].
  - unfold total. cbn [map sum]. lia.
  - change (total (fun i => base ^ N.of_nat i * f i) (k :: seq (S k) n))
      with (base ^ N.of_nat k * f k + total (fun i => base ^ N.of_nat i * f i) (seq (S k) n)).
    rewrite IH, Nat2N.inj_succ, N.pow_succ_r'. ring.
Qed.
Lemma powers_counts D : (forall d, In d D -> (code d <= 8)%nat) ->
  total (fun d => power (code d)) D = value (map (count_code D) (seq 0 9)).
Proof.
  intros H. transitivity (total (fun i => total (fun d => power i * has_code i d) D) (seq 0 9)).
  - rewrite total_swap. apply total_ext. intros d Hd. symmetry. exact (power_code (code d) (H d Hd)).
  - transitivity (total (fun i => base ^ N.of_nat i * count_code D i) (seq 0 9)).
    + apply total_ext. intros i Hi. rewrite total_mul, (power_base i Hi). reflexivity.
    + rewrite value_powers. apply N.mul_1_l.
Qed.

Lemma total_le {A} (f h : A -> N) l : (forall x, f x <= h x) -> total f l <= total h l.
Proof.
  intros H. unfold total. induction l as [|x l IH]; cbn [map sum]; [easy|]. specialize (H x). lia.
Qed.
Lemma total_0 {A} (f : A -> N) l : total f l = 0 <-> forall x, In x l -> f x = 0.
Proof.
  unfold total. induction l as [|x l IH]; cbn [map sum]; [easy|]. rewrite N.eq_add_0, IH. split.
  - intros [H0 H] y [<-|Hy]; auto.
  - intros H. split; [apply H; now left | intros y Hy; apply H; now right].
Qed.

(** ** All deals *)
(** What counts for a deal (its cards in reverse): its weight times the power for its length. *)
Definition length_leaf (r : list card) : N :=
  let d := rev' r in let w := weight d in if w =? 0 then 0 else w * power (code d).

Lemma length_leaf_0 d : is_corner_deal d -> weight d = 0 -> length_leaf (rev' d) = 0.
Proof. intros _ H. unfold length_leaf, rev'. rewrite <- !rev_alt, rev_involutive. now rewrite H. Qed.
Lemma length_total D : NoDup D -> (forall d, In d D <-> is_corner_deal d) ->
  total (fun d => power (code d)) D = total (fun d => length_leaf (rev' d)) D.
Proof.
  intros HN HI. rewrite (weighted_sum D (fun d => power (code d)) HN HI).
  - apply total_ext. intros d _. unfold length_leaf, rev'. rewrite <- !rev_alt, rev_involutive.
    destruct (N.eqb_spec (weight d) 0) as [->|_]; [apply N.mul_0_l | reflexivity].
  - intros g d G H. now rewrite code_kept.
Qed.

Lemma lengths_of D counts : NoDup D -> (forall d, In d D <-> is_corner_deal d) ->
  total (fun _ => 1) D < base -> List.length counts = 8%nat -> Forall (fun x => x < base) counts ->
  total (fun d => power (code d)) D = value (counts ++ [0]) ->
  forall n, size (fun d => is_corner_deal d /\ lasts first d n) (nth n (repeat 0 7 ++ counts) 0).
Proof.
  intros HN HI HB Hl Hc HV.
  assert (E : map (count_code D) (seq 0 9) = counts ++ [0]).
  { apply value_unique.
    - rewrite app_length, Hl. reflexivity.
    - apply Forall_forall. intros x Hx. apply in_map_iff in Hx. destruct Hx as (i & <- & _).
      apply N.le_lt_trans with (2 := HB). apply total_le. intros d. unfold has_code.
      destruct (Nat.eqb _ _); lia.
    - apply Forall_app. split; [easy|]. now repeat constructor.
    - rewrite <- HV. symmetry. apply powers_counts. intros d Hd. apply code_le. now apply HI. }
  assert (Hi : forall i, (i < 9)%nat -> count_code D i = nth i (counts ++ [0]) 0).
  { intros i H. rewrite <- E. do 9 (destruct i as [|i]; [reflexivity|]). lia. }
  (* No length is unknown. *)
  assert (K : forall d, In d D -> (code d < 8)%nat /\ lasts first d (7 + code d)).
  { intros d Hd. destruct (code_lasts d (proj1 (HI d) Hd)) as [U|U]; [|exact U]. exfalso.
    assert (Z : count_code D 8 = 0).
    { rewrite Hi by lia. rewrite app_nth2 by lia. now rewrite Hl. }
    unfold count_code in Z. rewrite total_0 in Z. specialize (Z d Hd). unfold has_code in Z.
    now rewrite U in Z. }
  intros n. apply size_iff with (P := fun d => In d D /\ Nat.eqb (7 + code d) n = true).
  - intros d. rewrite Nat.eqb_eq. split.
    + intros [Hd <-]. split; [now apply HI | now apply K].
    + intros [Hd H]. apply HI in Hd. split; [easy|]. destruct (K d Hd) as [_ H'].
      exact (lasts_once d _ _ H' H).
  - replace (nth n (repeat 0 7 ++ counts) 0) with (total (fun d => if Nat.eqb (7 + code d) n then 1 else 0)
    D);
      [exact (size_total (fun d => Nat.eqb (7 + code d) n) D HN)|].
    destruct (le_lt_dec 7 n) as [H|H].
    + replace n with (7 + (n - 7))%nat by lia. set (i := (n - 7)%nat).
      rewrite app_nth2 by (rewrite repeat_length; lia).
      rewrite repeat_length. replace (7 + i - 7)%nat with i by lia. change (count_code D i = nth i counts 0).
      destruct (le_lt_dec 8 i) as [H8|H8].
      * rewrite nth_overflow by lia. apply total_0. intros d Hd. destruct (K d Hd) as [Hk _]. unfold has_code.
        destruct (Nat.eqb_spec (code d) i); [lia | easy].
      * rewrite Hi by lia. apply app_nth1. lia.
    + transitivity 0.
      * apply total_0. intros d _. destruct (Nat.eqb_spec (7 + code d) n); [lia | easy].
      * rewrite app_nth1 by (rewrite repeat_length; lia). symmetry. apply nth_repeat.
Qed.

Theorem lengths deals counts : deals < base -> List.length counts = 8%nat ->
  Forall (fun x => x < base) counts ->
  tally (fun _ => 1) 15 rest [RedJack] 0 = deals ->
  total (fun p => tally_promising length_leaf 12 (snd p) (fst p) 0) (prefixes 3 [RedJack] rest) =
    value (counts ++ [0]) ->
  forall n, size (fun d => is_corner_deal d /\ lasts first d n) (nth n (repeat 0 7 ++ counts) 0).
Proof.
  intros HB Hl Hc HA HR. rewrite (promising_parts length_leaf length_leaf_0) in HR.
  rewrite total_corner in HA. unfold deal in *.
  apply (lengths_of corner_deals counts corner_deals_nodup corner_deals_in);
    [unfold deal; now rewrite HA | easy | easy |].
  unfold deal in *. rewrite <- HR. exact (length_total corner_deals corner_deals_nodup corner_deals_in).
Qed.
End Lengths.

(** ** What the generated files compute *)
Open Scope N_scope.
Definition part_lengths (cards : list card) (left : bag) : N :=
  tally_promising (length_leaf standard_tables lists) 12 left cards 0.
Definition counts : list N := [525; 9705; 641520; 1248372; 19830630; 7652868; 16279812; 1633818].

Theorem lengths_by_parts :
  tally (fun _ => 1) 15 rest [RedJack] 0 = 47297250 ->
  total (fun p => part_lengths (fst p) (snd p)) (prefixes 3 [RedJack] rest) = value (counts ++ [0]) ->
  claim_lengths.
Proof.
  assert (B : 47297250 < base) by reflexivity.
  assert (C : Forall (fun x => x < base) counts) by (now repeat constructor).
  exact (lengths standard standard_steps standard_tables (all_tables_ok standard standard_steps)
    lists lists_get 47297250 counts B eq_refl C).
Qed.
