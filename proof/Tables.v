(** * The tables are right

    Arrays hold what they were filled with, [lists] has the cells of every mask, and a table of reach has
    exactly the cells where walks by the rules end. [Sound.v] needs this to identify masks with legal moves.
    *)
From Coq Require Import List Arith ZArith Lia Uint63 PArray Bool.
From Collapsi Require Import Rules Solver.
Open Scope nat_scope.
Import ListNotations.

Local Notation length := List.length.
Local Notation "x '.<' n" := (to_Z x < n)%Z (at level 70).

(** ** Arrays *)
Lemma fill_length (A : Set) d : forall (f : int -> A) b a, PArray.length (fill d f b a) = PArray.length a.
Proof. induction d; intros; cbn; [apply length_set | now rewrite !IHd]. Qed.

Lemma max_length_Z : to_Z max_length = 4194303%Z. Proof. reflexivity. Qed.

Lemma fill_get (A : Set) d : forall (f : int -> A) b a i,
  ((to_Z b + 1) * 2 ^ Z.of_nat d <= to_Z (PArray.length a))%Z ->
  (fill d f b a).[i] =
  if ((to_Z b * 2 ^ Z.of_nat d <=? to_Z i) && (to_Z i <? (to_Z b + 1) * 2 ^ Z.of_nat d))%Z%bool then f i else
  a.[i].
Proof.
  induction d as [|d IH]; intros f b a i Hl.
  - cbn [fill]. change (2 ^ Z.of_nat 0)%Z with 1%Z in *. rewrite !Z.mul_1_r in *.
    destruct (Z.leb_spec (to_Z b) (to_Z i)); destruct (Z.ltb_spec (to_Z i) (to_Z b + 1)); cbn [andb].
    + assert (E : b = i) by (apply to_Z_inj; lia). subst. rewrite get_set_same; [easy|].
      apply ltb_spec. lia.
    + rewrite get_set_other; [easy|]. intros ->; lia.
    + rewrite get_set_other; [easy|]. intros ->; lia.
    + rewrite get_set_other; [easy|]. intros ->; lia.
  - cbn [fill]. rewrite Nat2Z.inj_succ, Z.pow_succ_r in * by lia.
    pose proof (leb_length _ a) as Hm. apply leb_spec in Hm. rewrite max_length_Z in Hm.
    pose proof (to_Z_bounded b) as Hb.
    assert (H0 : (0 < 2 ^ Z.of_nat d)%Z) by (apply Z.pow_pos_nonneg; lia).
    assert (Hb' : (to_Z b < 4194303)%Z) by nia.
    assert (E0 : to_Z (2 * b)%uint63 = (2 * to_Z b)%Z).
    { rewrite mul_spec. change (to_Z 2%uint63) with 2%Z. apply Z.mod_small.
      change wB with 9223372036854775808%Z. lia. }
    assert (E1 : to_Z (2 * b + 1)%uint63 = (2 * to_Z b + 1)%Z).
    { rewrite add_spec, E0. change (to_Z 1%uint63) with 1%Z. apply Z.mod_small.
      change wB with 9223372036854775808%Z. lia. }
    rewrite IH by (rewrite fill_length, E1; nia). rewrite IH by (rewrite E0; nia). rewrite E0, E1.
    repeat match goal with |- context [Z.leb ?x ?y] => destruct (Z.leb_spec x y)
           | |- context [Z.ltb ?x ?y] => destruct (Z.ltb_spec x y) end; cbn [andb]; try easy; exfalso; nia.
Qed.

Definition small (x : mask) := (x .< 65536)%Z.
Lemma tabulate_get (A : Set) (z : A) f i : small i -> (tabulate z f).[i] = f i.
Proof.
  intros H. unfold tabulate. rewrite fill_get.
  - pose proof (to_Z_bounded i). change (to_Z 0%uint63) with 0%Z. change (2 ^ Z.of_nat 16)%Z with 65536%Z.
    unfold small in H. destruct (Z.leb_spec (0 * 65536) (to_Z i)); [|lia].
    destruct (Z.ltb_spec (to_Z i) ((0 + 1) * 65536)); [easy | lia].
  - rewrite length_make. vm_compute. discriminate.
Qed.

(** ** Masks *)
Lemma small_land_r a b : small b -> small (a land b)%uint63.
Proof.
  unfold small. intros H. rewrite land_spec'. pose proof (to_Z_bounded b) as Hb.
  pose proof (to_Z_bounded a) as Ha.
  assert (E : to_Z b = Z.land (to_Z b) (Z.ones 16)).
  { rewrite Z.land_ones by lia. rewrite Z.mod_small; lia. }
  rewrite E, Z.land_assoc, Z.land_ones by lia. apply Z.mod_pos_bound. lia.
Qed.
Lemma small_land_l a b : small a -> small (a land b)%uint63.
Proof. intros. rewrite landC. now apply small_land_r. Qed.

Lemma in_cells16 c : In c cells16 <-> c < 16.
Proof. unfold cells16. rewrite in_seq. lia. Qed.
Lemma for_cells (f : nat -> bool) : forallb f cells16 = true -> forall c, c < 16 -> f c = true.
Proof. intros H c Hc. rewrite forallb_forall in H. apply H. now apply in_cells16. Qed.
Lemma for_cells2 (f : nat -> nat -> bool) : forallb (fun a => forallb (f a) cells16) cells16 = true ->
  forall a b, a < 16 -> b < 16 -> f a b = true.
Proof. intros H a b Ha Hb. apply (for_cells (f a)); [|easy].
  exact (for_cells (fun a => forallb (f a) cells16) H a Ha). Qed.

Definition has (s : mask) (c : cell) : bool := bit s (int_of c).
Definition cells_of (s : mask) : list cell := filter (has s) cells16.
Definition drop (s : mask) (c : cell) : mask := without s (int_of c).

Lemma int_of_inj a b : a < 16 -> b < 16 -> int_of a = int_of b -> a = b.
Proof.
  intros Ha Hb H. assert (C : (negb (int_of a =? int_of b)%uint63 || (a =? b)) = true).
  { revert a b Ha Hb H. intros a b Ha Hb _. revert a b Ha Hb. apply for_cells2. vm_compute. reflexivity. }
  rewrite H, Uint63.eqb_refl in C. now apply Nat.eqb_eq.
Qed.
Lemma small_drop s c : c < 16 -> small (drop s c).
Proof.
  intros H. apply small_land_r. unfold small. apply Z.ltb_lt. revert c H. apply for_cells. vm_compute.
  reflexivity.
Qed.
Lemma has_drop s c x : c < 16 -> x < 16 -> has (drop s c) x = has s x && negb (c =? x).
Proof.
  intros Hc Hx. unfold has, drop, without. rewrite land_spec. f_equal. apply eqb_prop.
  revert c x Hc Hx. apply for_cells2. vm_compute. reflexivity.
Qed.
Lemma in_cells_of s c : In c (cells_of s) <-> c < 16 /\ has s c = true.
Proof. unfold cells_of. rewrite filter_In, in_cells16. tauto. Qed.
Lemma cells_of_drop s c : c < 16 -> cells_of (drop s c) = remove Nat.eq_dec c (cells_of s).
Proof.
  intros Hc. unfold cells_of. assert (G : forall l, (forall x, In x l -> x < 16) ->
    filter (has (drop s c)) l = remove Nat.eq_dec c (filter (has s) l)).
  { induction l as [|x l IH]; intros Hl; [easy|]. cbn [filter].
    rewrite has_drop by (auto; apply Hl; now left).
    rewrite IH by (intros; apply Hl; now right). destruct (has s x); cbn [andb]; [|easy]. cbn [remove].
    destruct (Nat.eq_dec c x) as [->|N]. - now rewrite Nat.eqb_refl.
    - now rewrite (proj2 (Nat.eqb_neq c x) N). }
  apply G. intros x. apply in_cells16.
Qed.
Lemma lists_get s : small s -> lists.[s] = map int_of (cells_of s).
Proof.
  intros H. unfold lists. rewrite tabulate_get by easy. unfold cells_of, has.
  induction cells16 as [|x l IH]; [easy|]. cbn [map filter].
    destruct (bit s (int_of x)); cbn [map]; now rewrite IH.
Qed.

(** ** Walks *)
Definition walk (n : nat) (up : mask) (a e : cell) :=
  exists via, length via = n /\ path a via e /\ NoDup (a :: via) /\ Forall (fun c => In c (cells_of up)) via.
Definition table_ok (n : nat) (c : cell) (t : table) :=
  forall up, small up -> small t.[up] /\ forall e, e < 16 -> has t.[up] e = true <-> walk n up c e.
Definition tables_ok (n : nat) (ts : list table) := forall c, c < 16 -> table_ok n c (nth c ts no_table).

Definition adjacentb (a b : nat) : bool :=
  let nextb x y := (y =? (x + 1) mod 4) || (x =? (y + 1) mod 4) in
  (row a =? row b) && nextb (column a) (column b) || (column a =? column b) && nextb (row a) (row b).
Lemma adjacentb_spec a b : adjacentb a b = true <-> adjacent a b.
Proof.
  unfold adjacentb, adjacent, next_to. rewrite orb_true_iff, !andb_true_iff, !orb_true_iff, !Nat.eqb_eq.
  reflexivity.
Qed.
Lemma neighbours_spec a b : a < 16 -> b < 16 -> In b (neighbours a) <-> adjacent a b.
Proof.
  intros Ha Hb. rewrite <- adjacentb_spec.
  assert (E : Bool.eqb (existsb (Nat.eqb b) (neighbours a)) (adjacentb a b) = true).
  { revert a b Ha Hb. apply for_cells2. vm_compute. reflexivity. }
  apply eqb_prop in E. rewrite <- E, existsb_exists. split.
  - intros H. exists b. split; [easy|]. apply Nat.eqb_refl.
  - intros (x & H & Hx). apply Nat.eqb_eq in Hx. now subst.
Qed.
Lemma neighbours_16 a b : a < 16 -> In b (neighbours a) -> b < 16.
Proof.
  intros Ha. assert (E : forallb (fun b => b <? 16) (neighbours a) = true).
  { revert a Ha. apply for_cells. vm_compute. reflexivity. }
  rewrite forallb_forall in E. intros H. apply Nat.ltb_lt. auto.
Qed.

Lemma nth_map_cells A (f : nat -> A) z c : c < 16 -> nth c (map f cells16) z = f c.
Proof. intros H. do 16 (destruct c as [|c]; [reflexivity|]). lia. Qed.

Lemma reach0_ok : tables_ok 0 reach0.
Proof.
  intros c Hc up Hup. unfold reach0. rewrite nth_map_cells, get_make by easy. split.
  - unfold small. apply Z.ltb_lt. revert c Hc. apply for_cells. vm_compute. reflexivity.
  - intros e He. assert (E : Bool.eqb (has (one (int_of c)) e) (c =? e) = true).
    { revert c e Hc He. apply for_cells2. vm_compute. reflexivity. }
    apply eqb_prop in E. rewrite E, Nat.eqb_eq. split.
    + intros ->. exists []. repeat split; try constructor; [easy | constructor].
    + intros (via & Hl & Hp & _). destruct via; [|easy]. now inversion Hp.
Qed.

Lemma gather_spec l up i :
  bit (gather l up) i = existsb (fun bt => bit up (fst bt) && bit (snd bt).[up] i) l.
Proof.
  induction l as [|[b t] l IH]; cbn [gather existsb fst snd]. - apply bit_0.
  - destruct (bit up b); cbn [andb]; [|now rewrite IH]. now rewrite lor_spec, IH, orb_comm.
Qed.

Lemma reach_next_ok n ts : tables_ok n ts -> tables_ok (S n) (reach_next ts).
Proof.
  intros Hts c Hc up Hup. unfold reach_next. rewrite nth_map_cells by easy. unfold reach_cell.
  cbv zeta. rewrite tabulate_get by easy. split.
  { apply small_land_l. reflexivity. }
  intros e He. unfold has. rewrite land_spec.
  assert (Efull : bit 65535%uint63 (int_of e) = true). { revert e He. apply for_cells. vm_compute.
    reflexivity. }
  rewrite Efull, andb_true_l, gather_spec. fold (drop up c).
  pose proof (small_drop up c Hc) as Hsd. rewrite existsb_exists. split.
  - intros (bt & Hin & Hbt). rewrite in_map_iff in Hin. destruct Hin as (b & <- & Hb). cbn [fst snd] in Hbt.
    apply andb_true_iff in Hbt. destruct Hbt as [Hup1 Hr]. pose proof (neighbours_16 c b Hc Hb) as Hb16.
    apply (Hts b Hb16 _ Hsd) in Hr; [|easy]. destruct Hr as (via & Hl & Hp & Hnd & Hf).
    fold (has (drop up c) b) in Hup1.
    assert (Hall : Forall (fun x => In x (cells_of (drop up c))) (b :: via)).
    { constructor; [|easy]. now apply in_cells_of. }
    exists (b :: via). repeat split.
    + cbn. now rewrite Hl.
    + apply step with (1 := proj1 (neighbours_spec c b Hc Hb16) Hb) (2 := Hp).
    + constructor; [|easy]. intros Hin. rewrite Forall_forall in Hall. apply Hall in Hin.
      rewrite cells_of_drop in Hin by easy. now apply remove_In in Hin.
    + eapply Forall_impl; [|exact Hall]. intros x Hx. rewrite cells_of_drop in Hx by easy.
      now apply in_remove in Hx.
  - intros (via & Hl & Hp & Hnd & Hf). destruct via as [|b via]; [easy|].
    inversion Hp as [|? ? ? ? Hadj Hp' ]; subst.
    inversion Hnd as [|? ? Hni Hnd']; subst. inversion Hf as [|? ? Hbin Hf']; subst.
    assert (Hb16 : b < 16) by (now apply in_cells_of in Hbin).
    assert (Hd : forall x, In x (b :: via) -> In x (cells_of (drop up c))).
    { intros x Hx. rewrite cells_of_drop by easy. apply in_in_remove; [intros ->; contradiction|].
      rewrite Forall_forall in Hf. auto. }
    exists (int_of b, nth b ts no_table). split.
    + apply in_map_iff. exists b. split; [easy|]. now apply neighbours_spec.
    + cbn [fst snd]. apply andb_true_iff. split.
      * specialize (Hd b (or_introl eq_refl)). now apply in_cells_of in Hd.
      * apply (Hts b Hb16 _ Hsd); [easy|]. exists via. repeat split; auto.
        apply Forall_forall. intros x Hx. apply Hd. now right.
Qed.

(** ** Several numbers of steps, and all tables of a rule set *)
Definition walk_any (ns : list nat) (up : mask) (a e : cell) := exists n, In n ns /\ walk n up a e.
Definition any_ok (ns : list nat) (c : cell) (t : table) :=
  forall up, small up -> small t.[up] /\ forall e, e < 16 -> has t.[up] e = true <-> walk_any ns up c e.

Lemma any_ok_one n c t : table_ok n c t -> any_ok [n] c t.
Proof.
  intros H up Hup. destruct (H up Hup) as [Hs He]. split; [easy|]. intros e H16. rewrite He by easy. split.
  - intros W. exists n. split; [now left | easy].
  - intros (m & [<-|[]] & W). easy.
Qed.

Lemma unite_spec l up i : bit (unite l up) i = existsb (fun t : table => bit t.[up] i) l.
Proof.
  induction l as [|t l IH]; cbn [unite existsb]; [apply bit_0|]. now rewrite lor_spec, IH, orb_comm.
Qed.

(** Numbers of steps that the tables cover. *)
Definition some_steps (ns : list nat) := Forall (fun n => 1 <= n <= 4) ns.

Definition in_order (by_steps : list (list table)) :=
  forall n c, n <= 4 -> c < 16 -> table_ok n c (nth c (nth n by_steps []) no_table).

Lemma reach_any_ok by_steps ns : in_order by_steps -> some_steps ns ->
  forall c, c < 16 -> any_ok ns c (nth c (reach_any by_steps ns) no_table).
Proof.
  intros Hts Hns c Hc up Hup. unfold reach_any. rewrite nth_map_cells by easy. cbv zeta.
  rewrite tabulate_get by easy. unfold some_steps in Hns. rewrite Forall_forall in Hns.
  split; [apply small_land_l; reflexivity|].
  intros e He. unfold has. rewrite land_spec.
  assert (Efull : bit 65535%uint63 (int_of e) = true). { revert e He. apply for_cells. vm_compute.
    reflexivity. }
  rewrite Efull, andb_true_l, unite_spec, existsb_exists. split.
  - intros (t & Hin & Ht). apply in_map_iff in Hin. destruct Hin as (n & <- & Hn).
    exists n. split; [easy|]. exact (proj1 (proj2 (Hts n c (proj2 (Hns n Hn)) Hc up Hup) e He) Ht).
  - intros (n & Hn & W). exists (nth c (nth n by_steps []) no_table). split.
    + apply in_map_iff. now exists n.
    + exact (proj2 (proj2 (Hts n c (proj2 (Hns n Hn)) Hc up Hup) e He) W).
Qed.

(** [all_ok first ts]: [ts] has the right table for every card on every cell. *)
Definition all_ok (first : list nat) (ts : list (list table)) :=
  forall k c, c < 16 -> any_ok (steps first k) c (table_of ts (kind k) c).

Theorem all_tables_ok first : some_steps first -> all_ok first (all_tables first).
Proof.
  intros Hf k c Hc. unfold table_of, all_tables. cbv zeta.
  pose proof reach0_ok as H0. pose proof (reach_next_ok _ _ H0) as H1.
  pose proof (reach_next_ok _ _ H1) as H2.
  pose proof (reach_next_ok _ _ H2) as H3. pose proof (reach_next_ok _ _ H3) as H4.
  revert H0 H1 H2 H3 H4. generalize reach0. intros t0. generalize (reach_next t0). intros t1.
  generalize (reach_next t1). intros t2. generalize (reach_next t2). intros t3. generalize (reach_next t3).
  intros t4.
  intros H0 H1 H2 H3 H4.
  destruct k; cbn [kind nth steps]; try (apply any_ok_one; auto); apply reach_any_ok; auto.
  all: intros n x Hn Hx; destruct n as [|[|[|[|[|n]]]]]; cbn [nth]; auto; lia.
Qed.
