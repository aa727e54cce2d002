(** * Symmetries keep the winner and the length

    A renaming of the cells that keeps neighbours keeps the game. So of the deals that differ only by one of
    the 24 renamings that fix the corner, few have to be solved: [weighted_sum] replaces the sum over all
    47,297,250 deals by a weighted sum in which only 3,282,300 deals have a weight other than 0. *)
From Coq Require Import List Arith NArith Lia Permutation Uint63 PArray Bool.
From Collapsi Require Import Rules Solver Tables Sound Count.
Import ListNotations.
Open Scope nat_scope.
Local Notation length := List.length.

(** ** A renaming of the cells that keeps neighbours keeps the game *)
Record renaming (g gi : nat -> nat) : Prop := {
  r_left : forall c, gi (g c) = c; r_right : forall c, g (gi c) = c;
  r_in : forall c, c < 16 -> g c < 16; r_out : forall c, c < 16 -> gi c < 16;
  r_adj : forall a b, a < 16 -> b < 16 -> adjacent a b -> adjacent (g a) (g b);
  r_back : forall a b, a < 16 -> b < 16 -> adjacent a b -> adjacent (gi a) (gi b) }.
Lemma renaming_inv g gi : renaming g gi -> renaming gi g.
Proof. intros [? ? ? ? ? ?]. constructor; auto. Qed.

Definition twin (g : nat -> nat) (p q : position) :=
  (forall c, In c (face_up p) -> c < 16) /\ mover q = g (mover p) /\ other q = g (other p) /\
  forall c, In (g c) (face_up q) <-> In c (face_up p).
Definition same_cards (g : nat -> nat) (d d' : deal) := forall c k, lies d c k -> c < 16 /\ lies d' (g c) k.

Lemma twin_inv g gi p q : renaming g gi -> twin g p q -> twin gi q p.
Proof.
  intros R (Hi & Hm & Ho & Hf). repeat split.
  - intros c Hc. rewrite <- (r_right _ _ R c) in Hc |- *. apply (r_in _ _ R). apply Hi. now apply Hf.
  - rewrite Hm. now rewrite (r_left _ _ R).
  - rewrite Ho. now rewrite (r_left _ _ R).
  - intros H. rewrite <- (r_right _ _ R c). now apply Hf.
  - intros H. apply Hf. now rewrite (r_right _ _ R).
Qed.

Lemma path_moved g gi : renaming g gi -> forall a via e, path a via e -> a < 16 ->
  Forall (fun c => c < 16) via ->
  path (g a) (map g via) (g e).
Proof.
  intros R a via e H. induction H as [|a b via e Hab _ IH]; intros Ha Hv; cbn; [constructor|].
  inversion Hv; subst. econstructor; [|now apply IH]. now apply (r_adj _ _ R).
Qed.
Lemma inj g gi : renaming g gi -> forall a b, g a = g b -> a = b.
Proof. intros R a b E. rewrite <- (r_left _ _ R a), E. apply (r_left _ _ R). Qed.

Lemma legal_moved first g gi d d' p q e : renaming g gi -> same_cards g d d' -> twin g p q ->
  legal first d p e -> legal first d' q (g e).
Proof.
  intros R S (Hi & Hm & Ho & Hf) [(k & via & Hk & Hl & Hp & Hn & Hu) Hne]. destruct (S _ _ Hk) as [H16 Hk'].
  pose proof (inj g gi R) as I. split.
  - exists k, (map g via). rewrite Hm. repeat split.
    + easy.
    + now rewrite map_length.
    + apply (path_moved g gi R); auto. eapply Forall_impl; [|exact Hu]. auto.
    + change (NoDup (map g (mover p :: via))). apply FinFun.Injective_map_NoDup; [exact I | easy].
    + apply Forall_forall. intros x Hx. apply in_map_iff in Hx. destruct Hx as (c & <- & Hc). apply Hf.
      rewrite Forall_forall in Hu. auto.
  - rewrite Ho. intros E. apply Hne. now apply I.
Qed.
Lemma after_twin g gi p q e : renaming g gi -> twin g p q -> twin g (after p e) (after q (g e)).
Proof.
  intros R (Hi & Hm & Ho & Hf). pose proof (inj g gi R) as I. unfold after.
  repeat split; cbn [face_up mover other] in *.
  - intros c Hc. apply in_remove in Hc. now apply Hi.
  - easy.
  - intros Hc. apply in_remove in Hc. destruct Hc as [Hc N]. apply in_in_remove; [|now apply Hf].
    intros ->. now apply N.
  - intros Hc. apply in_remove in Hc. destruct Hc as [Hc N]. apply in_in_remove; [|now apply Hf].
    rewrite Hm. intros E. apply N. now apply I.
Qed.

Lemma within_moved first g gi d d' : renaming g gi -> same_cards g d d' -> same_cards gi d' d ->
  forall n p q, twin g p q ->
  (wins_within first d n p -> wins_within first d' n q) /\ (loses_within first d n p ->
  loses_within first d' n q).
Proof.
  intros R S S'.
  assert (Back : forall p q e, twin g p q -> legal first d' q e -> legal first d p (gi e)).
  { intros p q e T. exact (legal_moved first gi g d' d q p e (renaming_inv _ _ R) S' (twin_inv _ _ _ _ R T)).
    }
  induction n as [|n IH]; intros p q T.
  - split; [easy|]. intros H. apply cannot_move. intros e He. exact (H _ (Back _ _ _ T He)).
  - rewrite !wins_S, !loses_S. split.
    + intros (e & He & H). exists (g e). split.
      * exact (legal_moved first g gi d d' p q e R S T He).
      * apply (IH (after p e)); [exact (after_twin g gi p q e R T) | easy].
    + intros H e He. apply (IH (after p (gi e))); [|now apply H, (Back p q)].
      pose proof (after_twin g gi p q (gi e) R T) as A. now rewrite (r_right _ _ R) in A.
Qed.

Lemma start_twin g gi r b : renaming g gi -> twin g (start r b) (start (g r) (g b)).
Proof.
  intros R. repeat split; cbn [face_up start].
  - intros c. rewrite in_seq. lia.
  - intros H. apply in_seq in H. destruct H as [_ H]. apply (r_out _ _ R) in H. rewrite (r_left _ _ R) in H.
    apply in_seq. cbn in *. lia.
  - intros H. apply in_seq in H. destruct H as [_ H]. apply (r_in _ _ R) in H. apply in_seq. cbn in *. lia.
Qed.

Theorem moved_within first g gi d d' n : renaming g gi -> same_cards g d d' -> same_cards gi d' d ->
  (red_wins_within first d n -> red_wins_within first d' n) /\
  (blue_wins_within first d n -> blue_wins_within first d' n).
Proof.
  intros R S S'. split; intros (r & b & Hr & Hb & W); exists (g r), (g b);
    (split; [now apply S|]); (split; [now apply S|]);
    apply (within_moved first g gi d d' R S S' n _ _ (start_twin g gi r b R)); exact W.
Qed.

(** ** The 24 renamings that fix the corner: the four directions of the hypercube in any order *)
Definition bits (c : cell) : list bool :=
  let r := c / 4 in let k := c mod 4 in
  [(k =? 1) || (k =? 2); (k =? 2) || (k =? 3); (r =? 1) || (r =? 2); (r =? 2) || (r =? 3)].
Definition directions : list cell := [1; 3; 4; 12].   (* the cells of one bit *)
Fixpoint inserts {A} (x : A) (l : list A) : list (list A) :=
  match l with [] => [[x]] | y :: t => (x :: l) :: map (cons y) (inserts x t) end.
Fixpoint orders {A} (l : list A) : list (list A) :=
  match l with [] => [[]] | x :: t => flat_map (inserts x) (orders t) end.
Definition beq (a b : list bool) := forallb (fun p => Bool.eqb (fst p) (snd p)) (combine a b).
Definition the (f : nat -> bool) : nat := match find f cells16 with Some c => c | None => 0 end.
Definition group : list (list nat) := Eval vm_compute in
  map (fun o => map (fun c => the (fun x => beq (bits x) (map (fun i => nth i (bits c) false) o))) cells16)
  (orders [0; 1; 2; 3]).
Definition inverse (g : list nat) : list nat := map (fun c => the (fun x => nth x g 16 =? c)) cells16.
Definition to (g : list nat) (c : nat) : nat := nth c g c.

(** What [good_renaming] needs to know of a list, as a test that can be computed. *)
Definition renames (g : list nat) : bool :=
  let gi := inverse g in
  (length g =? 16) && (length gi =? 16) &&
  forallb (fun c => (to gi (to g c) =? c) && (to g (to gi c) =? c) && (to g c <? 16) && (to gi c <? 16))
    cells16 &&
  forallb (fun a => forallb (fun b => implb (adjacentb a b)
    (adjacentb (to g a) (to g b) && adjacentb (to gi a) (to gi b))) cells16) cells16.
Definition keeps_corner (g : list nat) : bool :=
  let gi := inverse g in
  (to g 0 =? 0) && (to gi 0 =? 0) && forallb (fun i => existsb (Nat.eqb (to gi i)) directions) directions.
Definition good (g : list nat) : bool := renames g && keeps_corner g.
Lemma group_good g : In g group -> good g = true.
Proof. revert g. apply forallb_forall. vm_compute. reflexivity. Qed.
Lemma group_24 : length group = 24. Proof. reflexivity. Qed.

Lemma to_far g c : length g = 16 -> 16 <= c -> to g c = c.
Proof. intros H L. unfold to. apply nth_overflow. lia. Qed.
Lemma renames_renaming g : renames g = true ->
  renaming (to g) (to (inverse g)) /\ length g = 16 /\ length (inverse g) = 16.
Proof.
  unfold renames. cbv zeta. rewrite !andb_true_iff, !Nat.eqb_eq. intros (((L & L') & C) & A).
  rewrite forallb_forall in C.
  assert (A' : forall a b, a < 16 -> b < 16 -> implb (adjacentb a b)
      (adjacentb (to g a) (to g b) && adjacentb (to (inverse g) a) (to (inverse g) b)) = true)
    by (apply for_cells2; exact A).
  assert (B : forall c, c < 16 ->
    to (inverse g) (to g c) = c /\ to g (to (inverse g) c) = c /\ to g c < 16 /\ to (inverse g) c < 16).
  { intros c H. apply in_cells16, C in H. rewrite !andb_true_iff, !Nat.eqb_eq, !Nat.ltb_lt in H. tauto. }
  repeat split; auto; try (intros; now apply B).
  - intros c. destruct (lt_dec c 16); [now apply B|]. rewrite !to_far by (rewrite ?to_far; lia). reflexivity.
  - intros c. destruct (lt_dec c 16); [now apply B|]. rewrite !to_far by (rewrite ?to_far; lia). reflexivity.
  - intros a b Ha Hb Hab. specialize (A' a b Ha Hb). apply adjacentb_spec in Hab. rewrite Hab in A'.
    cbn [implb] in A'. apply andb_true_iff in A'. now apply adjacentb_spec.
  - intros a b Ha Hb Hab. specialize (A' a b Ha Hb). apply adjacentb_spec in Hab. rewrite Hab in A'.
    cbn [implb] in A'. apply andb_true_iff in A'. now apply adjacentb_spec.
Qed.
Lemma good_corner g : good g = true -> renames g = true /\ to g 0 = 0 /\ to (inverse g) 0 = 0 /\
  (forall i, In i directions -> In (to (inverse g) i) directions).
Proof.
  unfold good, keeps_corner. cbv zeta. rewrite !andb_true_iff, !Nat.eqb_eq. intros (R & (Z & Z') & D).
  repeat split; auto. rewrite forallb_forall in D. intros i Hi. apply D, existsb_exists in Hi.
  destruct Hi as (x & Hx & E). apply Nat.eqb_eq in E. now subst.
Qed.

(** ** Moving a deal *)
Definition moved (g : list nat) (d : deal) : deal := map (fun c => nth (to (inverse g) c) d Ace) cells16.
Lemma moved_lies g d c k : renames g = true -> length d = 16 ->
  lies (moved g d) c k <-> c < 16 /\ lies d (to (inverse g) c) k.
Proof.
  intros G Hd. destruct (renames_renaming g G) as (R & _). unfold lies, moved.
  destruct (lt_dec c 16) as [H|H].
  - rewrite (map_nth_error _ _ _ (d := c)).
    + rewrite (nth_error_nth' d Ace) by (rewrite Hd; now apply (r_out _ _ R)). tauto.
    + unfold cells16. clear - H. do 16 (destruct c as [|c]; [reflexivity|]). lia.
  - split; [|lia]. intros E. exfalso. apply H.
    assert (X : nth_error (map (fun c => nth (to (inverse g) c) d Ace) cells16) c <> None) by (now rewrite E).
    apply nth_error_Some in X. now rewrite map_length in X.
Qed.
Lemma moved_same g d : renames g = true -> length d = 16 ->
  same_cards (to g) d (moved g d) /\ same_cards (to (inverse g)) (moved g d) d.
Proof.
  intros G Hd. destruct (renames_renaming g G) as (R & _). split.
  - intros c k H. assert (c < 16). { rewrite <- Hd. apply nth_error_Some. unfold lies in H. now rewrite H. }
    split; [easy|]. apply moved_lies; auto. rewrite (r_left _ _ R). split; [now apply (r_in _ _ R)|easy].
  - intros c k H. now apply moved_lies in H.
Qed.
Theorem moved_wins first g d n : renames g = true -> length d = 16 ->
  (red_wins_within first (moved g d) n <-> red_wins_within first d n) /\
  (blue_wins_within first (moved g d) n <-> blue_wins_within first d n).
Proof.
  intros G Hd. destruct (renames_renaming g G) as (R & _). destruct (moved_same g d G Hd) as [S S'].
  pose proof (moved_within first _ _ _ _ n R S S') as [A B].
  pose proof (moved_within first _ _ _ _ n (renaming_inv _ _ R) S' S) as [A' B']. tauto.
Qed.
Lemma moved_red first g d : renames g = true -> length d = 16 ->
  red_wins first (moved g d) <-> red_wins first d.
Proof. intros G Hd. split; intros (n & H); exists n; now apply (moved_wins first g d n G Hd). Qed.

Lemma same_list (d d' : deal) : length d = length d' -> (forall c k, lies d c k -> lies d' c k) -> d = d'.
Proof.
  revert d'. induction d as [|k d IH]; intros [|k' d'] H L; try easy. f_equal.
  - specialize (L 0 k eq_refl). now injection L as ->.
  - apply IH; [now injection H|]. intros c x Hx. exact (L (S c) x Hx).
Qed.
Lemma moved_inj g d d' : renames g = true -> length d = 16 -> length d' = 16 -> moved g d = moved g d' ->
  d = d'.
Proof.
  intros G Hd Hd' E. destruct (renames_renaming g G) as (R & _). apply same_list; [congruence|]. intros c k H.
  apply (moved_same g d G Hd) in H. destruct H as [H16 H]. rewrite E in H. apply moved_lies in H; auto.
  now rewrite (r_left _ _ R) in H.
Qed.
Lemma deal_16 d : is_deal d -> length d = 16.
Proof. intros P. apply Permutation_length in P. easy. Qed.
Lemma moved_deal g d : renames g = true -> is_deal d -> is_deal (moved g d).
Proof.
  intros G P. destruct (renames_renaming g G) as (R & L & L'). pose proof (deal_16 d P) as Hd.
  unfold is_deal in *. rewrite P. unfold moved.
  transitivity (map (fun c => nth c d Ace) (map (to (inverse g)) cells16)); [|now rewrite map_map].
  transitivity (map (fun c => nth c d Ace) cells16).
  - assert (E : d = map (fun c => nth c d Ace) cells16).
    { clear - Hd. do 16 (destruct d as [|? d]; [discriminate|]). destruct d; [reflexivity|discriminate]. }
    rewrite <- E. reflexivity.
  - apply Permutation_map. symmetry. apply NoDup_Permutation_bis.
    + apply FinFun.Injective_map_NoDup; [|apply seq_NoDup]. intros a b. apply (inj _ _ (renaming_inv _ _ R)).
    + now rewrite map_length.
    + intros x Hx. apply in_map_iff in Hx. destruct Hx as (c & <- & Hc). apply in_cells16.
      apply (r_out _ _ R). now apply in_cells16.
Qed.
Lemma moved_corner g d : good g = true -> is_corner_deal d -> is_corner_deal (moved g d).
Proof.
  intros G [P H]. destruct (good_corner g G) as (R & _ & Z' & _). split; [now apply moved_deal|].
  apply moved_lies; [easy | now apply deal_16 |]. rewrite Z'. split; [lia|easy].
Qed.
Lemma moved_blue g d : good g = true -> is_corner_deal d -> find_blue (moved g d) = to g (find_blue d).
Proof.
  intros G H. destruct (jacks d H) as (Hd & _ & Hb & _).
  destruct (jacks _ (moved_corner g d G H)) as (_ & _ & Hb' & _).
  symmetry. apply Hb'. apply (moved_same g d (proj1 (good_corner g G)) Hd). now apply Hb.
Qed.

(** ** Weights: 24 for a deal whose four directions are in order, less if some are alike, 0 if not in order *)
Definition rank (k : card) : nat :=
  match k with RedJack => 0 | BlueJack => 1 | Ace => 2 | Two => 3 | Three => 4 | Four => 5 end.
Definition weigh (blue : cell) (k1 k3 k4 k12 : card) : N :=
  let code (i : nat) (k : card) := if nth i (bits blue) false then (8 + rank k)%nat else rank k in
  let a := code 0 k1 in let b := code 1 k3 in let c := code 2 k4 in let d := code 3 k12 in
  if Nat.leb a b && Nat.leb b c && Nat.leb c d then
    match Nat.eqb a b, Nat.eqb b c, Nat.eqb c d with
    | false, false, false => 24%N
    | true, false, false | false, true, false | false, false, true => 12%N
    | true, false, true => 6%N
    | true, true, false | false, true, true => 4%N
    | true, true, true => 1%N
    end
  else 0%N.
Definition weight (d : deal) : N := weigh (find_blue d) (nth 1 d Ace) (nth 3 d Ace) (nth 4 d Ace) (nth 12 d
  Ace).

Definition look (k1 k3 k4 k12 : card) (c : cell) : card :=
  if c =? 1 then k1 else if c =? 3 then k3 else if c =? 4 then k4 else k12.
Lemma look_ok d c : In c directions -> nth c d Ace = look (nth 1 d Ace) (nth 3 d Ace) (nth 4 d Ace) (nth 12 d
  Ace) c.
Proof. intros [<-|[<-|[<-|[<-|[]]]]]; reflexivity. Qed.

Definition cards6 := [RedJack; BlueJack; Ace; Two; Three; Four].
Definition pairs := Eval vm_compute in map (fun g => (g, inverse g)) group.
Lemma pairs_ok : pairs = map (fun g => (g, inverse g)) group. Proof. vm_compute. reflexivity. Qed.
Definition average b k1 k3 k4 k12 : bool :=
  N.eqb (total (fun p => let l c := look k1 k3 k4 k12 (to (snd p) c) in
                         weigh (to (fst p) b) (l 1) (l 3) (l 4) (l 12)) pairs) 24%N.
Lemma average_ok b k1 k3 k4 k12 : b < 16 -> average b k1 k3 k4 k12 = true.
Proof.
  assert (X : forall (f : card -> bool), forallb f cards6 = true -> forall k, f k = true).
  { intros f H k. rewrite forallb_forall in H. apply H. destruct k; cbn; tauto. }
  intros H. revert k12. apply X. revert k4. apply (X (fun k4 => forallb _ cards6)). revert k3.
  apply (X (fun k3 => forallb _ cards6)).
  revert k1. apply (X (fun k1 => forallb _ cards6)). revert b H.
  apply (for_cells (fun b => forallb _ cards6)).
  vm_compute. reflexivity.
Qed.
Open Scope N_scope.
Lemma weights d : is_corner_deal d -> total (fun g => weight (moved g d)) group = 24.
Proof.
  intros H. destruct (jacks d H) as (Hd & _ & _ & H16 & _).
  pose proof (average_ok (find_blue d) (nth 1 d Ace) (nth 3 d Ace) (nth 4 d Ace) (nth 12 d Ace) H16) as A.
  apply N.eqb_eq in A. rewrite <- A, pairs_ok. unfold total. rewrite map_map. cbn [fst snd]. f_equal.
  apply map_ext_in. intros g Hg. apply group_good in Hg.
  destruct (good_corner g Hg) as (_ & _ & _ & D). unfold weight. rewrite moved_blue by easy. cbv zeta.
  unfold moved. rewrite !nth_map_cells by lia.
  rewrite <- !look_ok by (apply D; cbn; tauto). reflexivity.
Qed.

(** ** Sums *)
Lemma total_ext {A} (f h : A -> N) l : (forall x, In x l -> f x = h x) -> total f l = total h l.
Proof. intros H. unfold total. f_equal. now apply map_ext_in. Qed.
Lemma total_perm {A} (f : A -> N) l l' : Permutation l l' -> total f l = total f l'.
Proof. unfold total. induction 1; cbn [map sum]; lia. Qed.
Lemma total_mul {A} (f : A -> N) c l : total (fun x => c * f x) l = c * total f l.
Proof. unfold total. induction l as [|x l IH]; cbn [map sum]; [lia|]. rewrite IH. lia. Qed.
Lemma total_add {A} (f h : A -> N) l : total (fun x => f x + h x) l = total f l + total h l.
Proof. unfold total. induction l as [|x l IH]; cbn [map sum]; [lia|]. rewrite IH. lia. Qed.
Lemma total_swap {A B} (f : A -> B -> N) l l' :
  total (fun x => total (f x) l') l = total (fun y => total (fun x => f x y) l) l'.
Proof.
  induction l as [|x l IH].
  - unfold total at 1. cbn [map sum]. symmetry. unfold total.
    induction l' as [|y l' IH']; cbn [map sum] in *; [easy|]. now rewrite IH'.
  - change (total (f x) l' + total (fun x => total (f x) l') l = total (fun y => f x y + total (fun x => f x
    y) l) l').
    rewrite IH. symmetry. apply total_add.
Qed.
Lemma total_const {A} c (l : list A) : total (fun _ => c) l = N.of_nat (length l) * c.
Proof. unfold total. induction l as [|x l IH]; cbn [map sum length]; [lia|]. rewrite IH. lia. Qed.

(** The sum over all deals of what symmetries keep is the sum of the weighted. *)
Theorem weighted_sum D (f : deal -> N) : NoDup D -> (forall d, In d D <-> is_corner_deal d) ->
  (forall g d, good g = true -> is_corner_deal d -> f (moved g d) = f d) ->
  total f D = total (fun d => weight d * f d) D.
Proof.
  intros HN HI Hf.
  assert (P : forall g, In g group -> total (fun d => weight (moved g d) * f d) D = total (fun d => weight d
    * f d) D).
  { intros g Hg. apply group_good in Hg.
    transitivity (total (fun d => weight d * f d) (map (moved g) D)).
    - unfold total. rewrite map_map. f_equal. apply map_ext_in. intros d Hd.
      rewrite Hf; [easy | easy | now apply HI].
    - apply total_perm. apply NoDup_Permutation_bis.
      + assert (Hl : forall d, In d D -> List.length d = 16%nat) by (intros d Hd; apply HI in Hd;
        now apply jacks in Hd).
        clear - HN Hg Hl. induction D as [|d D IH]; cbn [map]; [constructor|].
        inversion HN as [|? ? Hn HN']; subst.
        constructor.
        * intros Hi. apply in_map_iff in Hi. destruct Hi as (d' & E & Hi).
          apply moved_inj in E; [now subst | now apply good_corner | apply Hl; now right | apply Hl;
          now left].
        * apply IH; [easy|]. intros x Hx. apply Hl. now right.
      + rewrite map_length. lia.
      + intros x Hx. apply in_map_iff in Hx. destruct Hx as (d & <- & Hd). apply HI.
        apply moved_corner; [easy|]. now apply HI. }
  assert (E : 24 * total f D = 24 * total (fun d => weight d * f d) D); [|lia].
  rewrite <- total_mul.
  transitivity (total (fun d => total (fun g => weight (moved g d) * f d) group) D).
  - apply total_ext. intros d Hd. apply HI in Hd. rewrite <- (weights d Hd).
    transitivity (total (fun g => f d * weight (moved g d)) group); [rewrite total_mul; lia|].
    apply total_ext. intros. lia.
  - rewrite total_swap. transitivity (total (fun _ : list nat => total (fun d => weight d * f d) D) group).
    + apply total_ext. exact P.
    + rewrite total_const, group_24. reflexivity.
Qed.
