(** * The search is right

    Its answer is the winner by the rules, or whether a win can be forced in a number of plies. The search is
    proved once for any two properties [Succeeds] and [Fails] of a position that go together as winning and
    losing do, and then used for two such pairs. *)
From Coq Require Import List Arith ZArith Lia Uint63 PArray Bool.
From Collapsi Require Import Rules Solver Tables.
Import ListNotations.
Open Scope nat_scope.
Local Notation length := List.length.

(** ** Winning and losing within a number of plies *)
Section Plies.
Variables (first : list nat) (d : deal).
Notation legal := (legal first d).
Notation wins_within := (wins_within first d).
Notation loses_within := (loses_within first d).

Lemma wins_S n p : wins_within (S n) p <-> exists e, legal p e /\ loses_within n (after p e).
Proof. reflexivity. Qed.
Lemma loses_S n p : loses_within (S n) p <-> forall e, legal p e -> wins_within n (after p e).
Proof. reflexivity. Qed.
Lemma cannot_move n p : (forall e, ~ legal p e) -> loses_within n p.
Proof. intros H. destruct n; cbn; intros e He; now apply H in He. Qed.
Lemma loses_0 p : loses_within 0 p -> forall e, ~ legal p e.
Proof. intros H e He. exact (H e He). Qed.
Lemma loses_move n p e : loses_within n p -> legal p e -> exists m, n = S m /\ wins_within m (after p e).
Proof. intros H He. destruct n as [|m]; [destruct (H e He)|]. exists m. split; [easy|]. now apply H. Qed.

(** More plies do no harm. *)
Lemma more_plies n : forall m p, n <= m ->
  (wins_within n p -> wins_within m p) /\ (loses_within n p -> loses_within m p).
Proof.
  induction n as [|n IH]; intros m p Hm.
  - split; [easy|]. intros H. apply cannot_move. now apply loses_0.
  - destruct m as [|m]; [lia|]. rewrite !wins_S, !loses_S. split.
    + intros (e & He & H). exists e. split; [easy|]. apply (IH m); [lia | easy].
    + intros H e He. apply (IH m); [lia|]. now apply H.
Qed.

(** No player both wins and loses. *)
Lemma not_both_sum k : forall n m p, n + m <= k -> wins_within n p -> loses_within m p -> False.
Proof.
  induction k as [|k IH]; intros n m p Hk W H; (destruct n as [|n]; [easy|]); [lia|].
  apply wins_S in W. destruct W as (e & He & H').
  destruct (loses_move m p e H He) as (m' & -> & W'). apply (IH m' n (after p e)); [lia | easy | easy].
Qed.
Lemma not_both n m p : wins_within n p -> loses_within m p -> False.
Proof. exact (not_both_sum _ n m p (le_n _)). Qed.
End Plies.

Section Deal.
Variable first : list nat.
Hypothesis Hfirst : some_steps first.
Variable L : array (list int).
Hypothesis HL : forall s, small s -> L.[s] = map int_of (cells_of s).
Variable d : deal.
Variable rows : array table.
Variable good : mask.
Definition rows_ok := forall c, c < 16 -> exists k, lies d c k /\ any_ok (steps first k) c rows.[int_of c].
Hypothesis Hrows : rows_ok.

Definition pos (up : mask) (m o : cell) := {| face_up := cells_of up; mover := m; other := o |}.

(** A mask that holds the cells where the walks from [a] may end. *)
Definition holds (s : mask) (P : cell -> Prop) := small s /\ forall e, e < 16 -> has s e = true <-> P e.

Lemma row_holds a up : a < 16 -> small up -> holds rows.[int_of a].[up] (reachable first d (cells_of up) a).
Proof.
  intros Ha Hup. destruct (Hrows a Ha) as (k & Hk & Ht). destruct (Ht up Hup) as [Hs He]. split; [easy|].
  intros e H16. rewrite He by easy. unfold walk_any, walk, reachable. split.
  - intros (n & Hn & via & <- & H). exists k, via. tauto.
  - intros (k' & via & Hk' & Hl & H). unfold lies in *. rewrite Hk in Hk'. injection Hk' as <-.
    exists (length via). split; [easy|]. exists via. tauto.
Qed.

Lemma path_end a via e : path a via e -> via = [] /\ e = a \/ In e via.
Proof.
  induction 1 as [|a b via e _ _ [[-> ->]|H]]; [now left | right; now left | right; now right].
Qed.
Lemma reachable_in up a e : reachable first d up a e -> In e up /\ e <> a.
Proof.
  intros (k & via & _ & Hl & Hp & Hnd & Hf). apply path_end in Hp. destruct Hp as [[-> _]|Hin].
  - cbn in Hl. unfold some_steps in Hfirst. rewrite Forall_forall in Hfirst.
    destruct k; cbn in Hl; try (specialize (Hfirst _ Hl)); lia.
  - rewrite Forall_forall in Hf. split; [auto|]. intros ->. now inversion Hnd.
Qed.

Lemma holds_without s P c : c < 16 -> holds s P -> holds (without s (int_of c)) (fun e => P e /\ e <> c).
Proof.
  intros Hc [Hs He]. fold (drop s c). split; [now apply small_drop|]. intros e H16.
  rewrite has_drop, andb_true_iff, He, negb_true_iff, Nat.eqb_neq by easy. intuition.
Qed.
Lemma holds_empty s P : holds s P -> (s =? 0)%uint63 = true -> forall e, e < 16 -> ~ P e.
Proof.
  intros [_ He] Hz e H16 HP. apply Uint63.eqb_correct in Hz. subst. apply He in HP; [|easy].
  unfold has in HP. now rewrite bit_0 in HP.
Qed.

Lemma after_pos up m o e : m < 16 -> after (pos up m o) e = pos (drop up m) o e.
Proof. intros H. unfold after, pos. cbn [face_up mover other]. now rewrite cells_of_drop. Qed.

Section Node.
(** A node of the search: what its arguments mean. *)
Variables (up : mask) (m o : cell) (moves replies : mask).
Record node_ok : Prop := {
  ok_up : small up; ok_m : In m (cells_of up); ok_o : In o (cells_of up); ok_mo : m <> o;
  ok_moves : holds moves (legal first d (pos up m o));
  ok_replies : holds replies (reachable first d (cells_of (drop up m)) o) }.
End Node.

Lemma child_ok up m o moves replies e : node_ok up m o moves replies -> e < 16 ->
  legal first d (pos up m o) e ->
  node_ok (drop up m) o e (without replies (int_of e)) rows.[int_of e].[drop (drop up m) o].
Proof.
  intros [Hup Hm Ho Hmo Hmv Hrp] He [Hr Hne]. cbn [face_up mover other pos] in *.
  pose proof (proj1 (in_cells_of _ _) Hm) as [Hm16 _]. pose proof (proj1 (in_cells_of _ _) Ho) as [Ho16 _].
  apply reachable_in in Hr. destruct Hr as [Hin Hem].
  constructor.
  - now apply small_drop.
  - rewrite cells_of_drop by easy. apply in_in_remove; auto.
  - rewrite cells_of_drop by easy. apply in_in_remove; auto.
  - auto.
  - exact (holds_without _ _ e He Hrp).
  - apply row_holds; [easy|]. now apply small_drop.
Qed.

Lemma small_zero s : small s -> (forall c, c < 16 -> has s c = false) -> s = 0%uint63.
Proof.
  intros Hs H. apply bit_ext. intros n. rewrite bit_0. pose proof (to_Z_bounded n) as Hn.
  pose proof (to_Z_bounded s).
  destruct (Z_lt_ge_dec (to_Z n) 16) as [Hlt|Hge].
  - assert (E : n = int_of (Z.to_nat (to_Z n))). { unfold int_of. rewrite Z2Nat.id by lia.
    now rewrite of_to_Z. }
    rewrite E. apply H. lia.
  - rewrite bitE. destruct (Z.eq_dec (to_Z s) 0) as [->|N]; [apply Z.bits_0|].
    apply Z.bits_above_log2; [lia|].
    unfold small in Hs. assert (Z.log2 (to_Z s) < 16)%Z by (apply Z.log2_lt_pow2; lia). lia.
Qed.

Lemma reachable_16 up a e : reachable first d (cells_of up) a e -> e < 16.
Proof. intros H. apply reachable_in in H. destruct H as [H _]. now apply in_cells_of in H. Qed.

Lemma bit_full x : x < 16 -> bit 65535%uint63 (int_of x) = true.
Proof. revert x. apply for_cells. vm_compute. reflexivity. Qed.
(** A set that loses its lowest cell and is empty has one cell at the most: all 65,536 sets looked at. *)
Fixpoint from (z : Z) (n : nat) : list mask := match n with O => [] | S n => of_Z z :: from (Z.succ z) n end.
Definition all_masks : list mask := from 0 (Z.to_nat 65536).
Lemma in_from s n : forall z, (z <= to_Z s < z + Z.of_nat n)%Z -> In s (from z n).
Proof.
  induction n as [|n IH]; intros z H; [lia|]. cbn [from]. destruct (Z.eq_dec z (to_Z s)) as [->|N].
  - left. apply of_to_Z.
  - right. apply IH. lia.
Qed.
Lemma in_all_masks s : small s -> In s all_masks.
Proof. intros Hs. pose proof (to_Z_bounded s). unfold small in Hs. apply in_from. rewrite Z2Nat.id; lia. Qed.
Definition one_at_most (s : mask) : bool :=
  implb (s land (s - 1) =? 0)%uint63 (match cells_of s with [] | [_] => true | _ => false end).
Lemma one_at_most_ok s : small s -> one_at_most s = true.
Proof.
  intros H. apply in_all_masks in H. revert s H. apply forallb_forall. vm_compute. reflexivity.
Qed.
Lemma lor_zero a b : (a lor b)%uint63 = 0%uint63 -> a = 0%uint63 /\ b = 0%uint63.
Proof.
  intros H. split; apply bit_ext; intros n; assert (X : bit (a lor b)%uint63 n = false) by (rewrite H;
  apply bit_0);
    rewrite lor_spec in X; apply orb_false_iff in X; rewrite bit_0; tauto.
Qed.
Definition answered (next answers : mask) : bool :=
  ((next land (next - 1)) lor (next land (65535 lxor answers)) =? 0)%uint63.
Lemma answered_ok next answers : small next -> answered next answers = true ->
  cells_of next = [] \/ exists x, cells_of next = [x] /\ has answers x = true.
Proof.
  intros Hs Ha. apply Uint63.eqb_correct, lor_zero in Ha. destruct Ha as [A B].
  pose proof (one_at_most_ok next Hs) as O. unfold one_at_most in O. rewrite A in O. cbn [implb] in O.
  change (0 =? 0)%uint63 with true in O. cbn [implb] in O.
  pose proof (fun x => proj1 (in_cells_of next x)) as Hc.
  destruct (cells_of next) as [|x [|y l]]; [now left | right; exists x; split; [easy|] | discriminate].
  destruct (Hc x (or_introl eq_refl)) as [H16 Hx]. unfold has in *.
  assert (X : bit (next land (65535 lxor answers))%uint63 (int_of x) = false) by (rewrite B; apply bit_0).
  rewrite land_spec, lxor_spec, Hx, bit_full in X by easy. cbn [andb] in X.
  now destruct (bit answers (int_of x)).
Qed.

(** Conversely, if a move takes the opponent's only reply away, then [answered]. *)
Definition none_left (s : mask) : bool :=
  implb (existsb (fun c => without s c =? 0)%uint63 (map int_of cells16)) (s land (s - 1) =? 0)%uint63.
Lemma none_left_ok s : small s -> none_left s = true.
Proof.
  intros H. apply in_all_masks in H. revert s H. apply forallb_forall. vm_compute. reflexivity.
Qed.
Lemma not_answered next answers e : small next -> e < 16 -> has answers e = true ->
  answered next answers = false -> (without next (int_of e) =? 0)%uint63 = false.
Proof.
  intros Hs H16 He Ha. destruct (without next (int_of e) =? 0)%uint63 eqn:Ez; [|easy].
  rewrite <- Ha. symmetry. unfold answered. pose proof (none_left_ok next Hs) as O. unfold none_left in O.
  replace (existsb _ _) with true in O.
  2: { symmetry. apply existsb_exists. exists (int_of e). split; [|easy]. now apply in_map, in_cells16. }
  cbn [implb] in O. apply Uint63.eqb_correct in O. rewrite O.
  rewrite (small_zero (next land (65535 lxor answers))%uint63); [reflexivity | now apply small_land_l |].
  intros c Hc. unfold has. rewrite land_spec, lxor_spec, bit_full by easy.
  destruct (bit next (int_of c)) eqn:En; [|easy].
  assert (X : has (drop next e) c = false).
  { apply Uint63.eqb_correct in Ez. unfold drop, has. rewrite Ez. apply bit_0. }
  rewrite has_drop in X by easy. unfold has at 1 in X. rewrite En in X. cbn [andb] in X.
  apply negb_false_iff, Nat.eqb_eq in X. subst. unfold has in He. now rewrite He.
Qed.

(** [answered]: the player to move at this node wins at once. *)
Lemma answered_wins up m o moves replies : node_ok up m o moves replies ->
  (moves =? 0)%uint63 = false -> answered replies moves = true -> wins_within first d 1 (pos up m o).
Proof.
  intros [Hup Hm Ho Hmo Hmv Hrp] Hnz Ha.
  pose proof (proj1 (in_cells_of _ _) Hm) as [Hm16 _].
  assert (Hex : exists e, e < 16 /\ has moves e = true /\ forall x, x < 16 -> has replies x = true -> x = e).
  { assert (Hc : forall x, x < 16 -> has replies x = true -> In x (cells_of replies)) by (intros;
    now apply in_cells_of).
    pose proof (fun x => proj1 (in_cells_of replies x)) as Hc'.
    destruct (answered_ok replies moves (proj1 Hrp) Ha) as [E0 | (x & E0 & Hx)]; rewrite E0 in *.
    - destruct (existsb (has moves) cells16) eqn:E.
      + apply existsb_exists in E. destruct E as (e & H16 & He). apply in_cells16 in H16.
        exists e. repeat split; auto. intros x Hx Hr. destruct (Hc x Hx Hr).
      + exfalso. rewrite (small_zero moves) in Hnz; [easy | apply Hmv |]. intros c H16.
        destruct (has moves c) eqn:Hh; [|easy]. rewrite <- E. symmetry. apply existsb_exists. exists c.
        now rewrite in_cells16.
    - destruct (Hc' x (or_introl eq_refl)) as [H16 _]. exists x. repeat split; auto.
      intros y Hy Hr. destruct (Hc y Hy Hr) as [|[]]; auto. }
  destruct Hex as (e & H16 & He & Hall). apply Hmv in He; [|easy].
  exists e. split; [exact He|]. rewrite after_pos by easy. apply (cannot_move first d 0). intros x [Hr Hne].
  cbn [face_up mover other pos] in *. apply Hne. pose proof (reachable_16 _ _ _ Hr). apply Hall; [easy|].
  now apply Hrp.
Qed.

(** ** The search, for any notion of success *)
Section Search.
Variables Succeeds Fails : nat -> position -> Prop.
Definition proper (p : position) := In (mover p) (face_up p) /\ In (other p) (face_up p) /\ mover p <> other
  p.
Hypothesis no_plies : forall p e, proper p -> legal first d p e -> Succeeds 0 p.
Hypothesis at_once : forall n p, proper p -> wins_within first d 1 p -> Succeeds n p.
Hypothesis no_move : forall n p, proper p -> (forall e, ~ legal first d p e) -> Fails n p.
Hypothesis good_move : forall n p e, proper p -> legal first d p e -> Fails n (after p e) -> Succeeds (S n) p.
Hypothesis no_good_move : forall n p, proper p ->
  (forall e, legal first d p e -> Succeeds n (after p e)) -> Fails (S n) p.

Lemma node_proper up m o moves replies : node_ok up m o moves replies -> proper (pos up m o).
Proof. intros [_ Hm Ho Hmo _ _]. now repeat split. Qed.
Lemma some_move up m o moves replies : node_ok up m o moves replies -> (moves =? 0)%uint63 = false ->
  exists e, legal first d (pos up m o) e.
Proof.
  intros Hok Hz. pose proof (ok_moves _ _ _ _ _ Hok) as [Hs He].
  destruct (existsb (has moves) cells16) eqn:E.
  - apply existsb_exists in E. destruct E as (e & H16 & H). apply in_cells16 in H16. exists e. now apply He.
  - exfalso. rewrite (small_zero moves Hs) in Hz; [easy|]. intros c H16.
    destruct (has moves c) eqn:Hh; [|easy].
    rewrite <- E. symmetry. apply existsb_exists. exists c. now rewrite in_cells16.
Qed.

(** The three groups of moves are all moves. *)
Lemma groups moves replies e : e < 16 -> has moves e = true ->
  has (moves land (replies land good))%uint63 e = true \/
  has (moves land (replies lxor good))%uint63 e = true \/
  has (moves land (65535 lxor (replies lor good)))%uint63 e = true.
Proof.
  unfold has. intros H16 H. rewrite !land_spec, !lxor_spec, lor_spec, H, bit_full by easy.
  destruct (bit replies (int_of e)), (bit good (int_of e)); cbn; tauto.
Qed.

Lemma search_ok plies : forall up m o moves replies, node_ok up m o moves replies ->
  (moves =? 0)%uint63 = false -> answered replies moves = false ->
  if search L rows good plies (drop (drop up m) o) moves replies
  then Succeeds plies (pos up m o) else Fails plies (pos up m o).
Proof.
  induction plies as [|plies IH]; intros up m o moves replies Hok Hz Hna.
  { cbn [search]. destruct (some_move _ _ _ _ _ Hok Hz) as (e & He).
    exact (no_plies _ e (node_proper _ _ _ _ _ Hok) He). }
  clear Hz. pose proof (node_proper _ _ _ _ _ Hok) as Hp. pose proof (ok_moves _ _ _ _ _ Hok) as Hmv.
  pose proof (proj1 (in_cells_of _ _) (ok_m _ _ _ _ _ Hok)) as [Hm16 _].
  pose proof (proj1 (in_cells_of _ _) (ok_o _ _ _ _ _ Hok)) as [Ho16 _].
  cbn [search].
  set (try := fix try (l : list int) : bool := match l with [] => false | e :: l => _ end).
  (* The loop over some moves. *)
  assert (Htry : forall l, (forall x, In x l -> exists e, e < 16 /\ x = int_of e /\ has moves e = true) ->
    if try l then Succeeds (S plies) (pos up m o)
    else forall e, e < 16 -> In (int_of e) l -> Succeeds plies (after (pos up m o) e)).
  { induction l as [|x l IHl]; intros Hl; [easy|].
    destruct (Hl x (or_introl eq_refl)) as (e & H16 & -> & He).
    assert (Hleg : legal first d (pos up m o) e) by (now apply Hmv).
    pose proof (child_ok _ _ _ _ _ e Hok H16 Hleg) as Hchild.
    pose proof (node_proper _ _ _ _ _ Hchild) as Hp'.
    specialize (IHl (fun y Hy => Hl y (or_intror Hy))).
    (* If the opponent succeeds after this move, the rest of the list decides. *)
    assert (Hrest : Succeeds plies (after (pos up m o) e) ->
      if try l then Succeeds (S plies) (pos up m o)
      else forall y, y < 16 -> In (int_of y) (int_of e :: l) -> Succeeds plies (after (pos up m o) y)).
    { intros Hw. destruct (try l); [easy|]. intros y Hy [E|Hin]; [|auto]. apply int_of_inj in E; auto.
      now subst. }
    pose proof (not_answered _ _ e (proj1 (ok_replies _ _ _ _ _ Hok)) H16 He Hna) as Ez.
    cbn [try]. fold try. fold (without replies (int_of e)). fold (without (drop (drop up m) o) (int_of e)).
    fold (drop (drop (drop up m) o) e).
    match goal with |- context [(?a =? 0)%uint63] => change (a =? 0)%uint63 with
      (answered rows.[int_of e].[drop (drop up m) o] (without replies (int_of e))) end.
    destruct (answered rows.[int_of e].[drop (drop up m) o] (without replies (int_of e))) eqn:Ea.
    { apply Hrest. rewrite after_pos by easy. apply at_once; [easy|].
      exact (answered_wins _ _ _ _ _ Hchild Ez Ea). }
    pose proof (IH _ _ _ _ _ Hchild Ez Ea) as Hs. destruct (search _ _ _ _ _ _ _).
    - apply Hrest. now rewrite after_pos.
    - apply good_move with (1 := Hp) (2 := Hleg). now rewrite after_pos. }
  (* The loop over a group of moves. *)
  assert (Hgroup : forall s, let s := (moves land s)%uint63 in
    if try L.[s] then Succeeds (S plies) (pos up m o)
    else forall e, e < 16 -> has s e = true -> Succeeds plies (after (pos up m o) e)).
  { intros s. cbv zeta. assert (Hs : small (moves land s)%uint63) by (apply small_land_l, Hmv).
    rewrite (HL _ Hs). pose proof (Htry (map int_of (cells_of (moves land s)%uint63))) as H.
    destruct (try _).
    - apply H. intros x Hx. apply in_map_iff in Hx. destruct Hx as (e & <- & He). apply in_cells_of in He.
      destruct He as [H16 He]. exists e. unfold has in *. rewrite land_spec in He.
      apply andb_true_iff in He. tauto.
    - intros e H16 He. apply H; [|easy|].
      + intros x Hx. apply in_map_iff in Hx. destruct Hx as (y & <- & Hy). apply in_cells_of in Hy.
        destruct Hy as [Hy Hs']. exists y. unfold has in *. rewrite land_spec in Hs'.
        apply andb_true_iff in Hs'. tauto.
      + apply in_map, in_cells_of. easy. }
  pose proof (Hgroup (replies land good)%uint63) as H1. pose proof (Hgroup (replies lxor good)%uint63) as H2.
  pose proof (Hgroup (65535 lxor (replies lor good))%uint63) as H3. cbv zeta in H1, H2, H3.
  destruct (try _); [easy|]. destruct (try _); [easy|]. destruct (try _); [easy|].
  apply no_good_move; [easy|]. intros e He. pose proof (reachable_16 _ _ _ (proj1 He)) as H16.
  apply Hmv in He; [|easy]. destruct (groups moves replies e H16 He) as [H|[H|H]]; auto.
Qed.

Lemma search_deal_ok plies r b : r < 16 -> b < 16 -> r <> b ->
  if search_deal L rows good (S plies) (int_of r) (int_of b)
  then Succeeds (S plies) (start r b) else Fails (S plies) (start r b).
Proof.
  intros Hr Hb Hrb. unfold search_deal.
  assert (Efull : cells_of 65535%uint63 = seq 0 16) by reflexivity.
  assert (Hin : forall c, c < 16 -> In c (cells_of 65535%uint63)) by (intros; rewrite Efull, in_seq; lia).
  change (start r b) with (pos 65535%uint63 r b). fold (drop 65535%uint63 r).
  assert (Hok : node_ok 65535%uint63 r b (without rows.[int_of r].[65535%uint63] (int_of b))
    rows.[int_of b].[drop 65535%uint63 r]).
  { constructor; auto.
    - reflexivity.
    - apply holds_without; [easy|]. apply row_holds; [easy|]. reflexivity.
    - apply row_holds; [easy|]. now apply small_drop. }
  pose proof (node_proper _ _ _ _ _ Hok) as Hp.
  destruct (without rows.[int_of r].[65535%uint63] (int_of b) =? 0)%uint63 eqn:Ez.
  { apply no_move; [easy|]. intros e He. pose proof (reachable_16 _ _ _ (proj1 He)) as H16.
    exact (holds_empty _ _ (ok_moves _ _ _ _ _ Hok) Ez e H16 He). }
  match goal with |- context [if (?a =? 0)%uint63 then true else _] => change (a =? 0)%uint63 with
    (answered rows.[int_of b].[drop 65535%uint63 r] (without rows.[int_of r].[65535%uint63] (int_of b))) end.
  destruct (answered _ _) eqn:Ea.
  - apply at_once; [easy|]. exact (answered_wins _ _ _ _ _ Hok Ez Ea).
  - now apply search_ok.
Qed.
End Search.

(** ** Winning within a number of plies *)
Definition succeeds n p := if Nat.odd n then wins_within first d n p else ~ loses_within first d n p.
Definition fails n p := if Nat.odd n then ~ wins_within first d n p else loses_within first d n p.

Theorem search_within plies r b : r < 16 -> b < 16 -> r <> b ->
  if search_deal L rows good (S plies) (int_of r) (int_of b)
  then succeeds (S plies) (start r b) else fails (S plies) (start r b).
Proof.
  apply search_deal_ok; unfold succeeds, fails.
  - intros p e _ He H. exact (H e He).
  - intros n p _ W. destruct (Nat.odd n) eqn:E.
    + apply (more_plies _ _ 1); [destruct n; [discriminate | lia] | easy].
    + intros H. exact (not_both _ _ _ _ _ W H).
  - intros n p _ H. destruct (Nat.odd n); [|now apply cannot_move].
    destruct n as [|n]; [easy|]. intros (e & He & _). exact (H e He).
  - intros n p e _ He. rewrite Nat.odd_succ, <- Nat.negb_odd. destruct (Nat.odd n); cbn [negb]; intros H.
    + intros Hl. exact (H (Hl e He)).
    + now exists e.
  - intros n p _. rewrite Nat.odd_succ, <- Nat.negb_odd. destruct (Nat.odd n); cbn [negb]; intros H.
    + exact H.
    + intros (e & He & Hl). exact (H e He Hl).
Qed.

(** ** Winning at all: a game lasts no longer than there are cards *)
Definition wins p := exists n, wins_within first d n p.
Definition loses p := exists n, loses_within first d n p.
Definition cards (p : position) := length (face_up p).

Lemma after_proper p e : proper p -> legal first d p e -> proper (after p e).
Proof.
  intros (Hm & Ho & N) [Hr Hne]. apply reachable_in in Hr. destruct Hr as [He Hem].
  repeat split; cbn [mover other face_up after]; auto; apply in_in_remove; auto.
Qed.
Lemma after_cards p e : proper p -> cards (after p e) < cards p.
Proof. intros (Hm & _). now apply remove_length_lt. Qed.
Lemma cards_enough n : forall p, proper p ->
  (wins_within first d n p -> wins_within first d (cards p) p) /\
  (loses_within first d n p -> loses_within first d (cards p) p).
Proof.
  induction n as [|n IH]; intros p Hp; (split; [|destruct (cards p) as [|c] eqn:Ec]).
  - easy.
  - easy.
  - intros H. apply cannot_move. now apply loses_0.
  - intros (e & He & H). pose proof (after_cards p e Hp) as Hc. destruct (cards p) as [|c] eqn:Ec; [lia|].
    exists e. split; [easy|]. apply (more_plies _ _ (cards (after p e))); [lia|].
    apply IH; [now apply after_proper | easy].
  - destruct Hp as (Hm & _). unfold cards in Ec. destruct (face_up p); [easy | discriminate].
  - rewrite !loses_S. intros H e He. pose proof (after_cards p e Hp) as Hc.
    apply (more_plies _ _ (cards (after p e))); [lia|]. apply IH; [now apply after_proper | now apply H].
Qed.

(** The search with as many plies as cards: it decides the winner. *)
Definition wins_or_short n p := n < cards p \/ wins p.
Definition loses_or_short n p := n < cards p \/ loses p.

Theorem search_winner r b : r < 16 -> b < 16 -> r <> b ->
  if search_deal L rows good 16 (int_of r) (int_of b) then wins (start r b) else loses (start r b).
Proof.
  intros Hr Hb N. assert (H : if search_deal L rows good 16 (int_of r) (int_of b)
    then wins_or_short 16 (start r b) else loses_or_short 16 (start r b)).
  { apply search_deal_ok; auto; unfold wins_or_short, loses_or_short, wins, loses.
    - intros p e (Hm & _) _. left. unfold cards. destruct (face_up p); [easy | cbn; lia].
    - intros n p _ W. right. now exists 1.
    - intros n p _ H. right. exists 0. now apply cannot_move.
    - intros n p e Hp He [Hc|(m & H)].
      + left. pose proof (after_cards p e Hp). lia.
      + right. exists (S m), e. easy.
    - intros n p Hp H. destruct (le_lt_dec (cards p) (S n)) as [Hc|]; [right | now left].
      exists (S n). rewrite loses_S. intros e He. pose proof (after_cards p e Hp) as Ha.
      destruct (H e He) as [|(m & W)]; [lia|]. apply (more_plies _ _ (cards (after p e))); [lia|].
      apply (cards_enough m); [now apply after_proper | easy]. }
  unfold wins_or_short, loses_or_short in H. change (cards (start r b)) with 16 in H.
  destruct (search_deal _ _ _ _ _), H as [H|H]; try exact H; lia.
Qed.
End Deal.

(** The rows of a deal. *)
Lemma int_of_set_other (t : array table) c e x : c < 16 -> e < 16 -> c <> e ->
  t.[int_of c <- x].[int_of e] = t.[int_of e].
Proof. intros Hc He N. apply get_set_other. intros E. now apply int_of_inj in E. Qed.

Lemma set_rows_length ts : forall ks c a, PArray.length (set_rows ts c ks a) = PArray.length a.
Proof. induction ks; intros; cbn; [easy|]. now rewrite IHks, length_set. Qed.
Lemma set_rows_before ts : forall ks c a e, e < c -> c + length ks <= 16 ->
  (set_rows ts c ks a).[int_of e] = a.[int_of e].
Proof.
  induction ks as [|k ks IH]; intros c a e He Hl; cbn in *; [easy|]. rewrite IH by lia.
    apply int_of_set_other; lia.
Qed.
Lemma set_rows_get ts : forall ks c a e, c + length ks <= 16 -> PArray.length a = 16%uint63 ->
  e < length ks ->
  (set_rows ts c ks a).[int_of (c + e)] = table_of ts (nth e ks 0) (c + e).
Proof.
  induction ks as [|k ks IH]; intros c a e Hl Ha He; cbn in *; [lia|]. destruct e as [|e].
  - rewrite Nat.add_0_r. rewrite set_rows_before by lia. apply get_set_same. rewrite Ha.
    assert (Hc : c < 16) by lia. clear - Hc. revert c Hc. apply for_cells. vm_compute. reflexivity.
  - replace (c + S e) with (S c + e) by lia. apply IH; [lia | now rewrite length_set | lia].
Qed.

Lemma rows_of_ok first ts d : all_ok first ts -> length d = 16 -> rows_ok first d (rows_of ts d).
Proof.
  intros Hts Hd c Hc. destruct (nth_error d c) as [k|] eqn:E.
  2: { apply nth_error_None in E. lia. }
  exists k. split; [exact E|]. unfold rows_of. replace c with (0 + c) at 2 by lia.
  rewrite set_rows_get; rewrite ?map_length; try lia; [|reflexivity].
  rewrite (nth_error_nth (map kind d) c 0 (x := kind k)) by (now apply map_nth_error).
  now apply Hts.
Qed.

(** ** One deal *)
Definition solve ts L (plies : nat) (d : deal) (r b : cell) : bool :=
  search_deal L (rows_of ts d) (good_cells 0%uint63 d) plies (int_of r) (int_of b).

(** The tables are variables here: Coq would otherwise compute them when it compares terms. *)
Section Tables.
Variable first : list nat.
Hypothesis Hfirst : some_steps first.
Variable ts : list (list table).
Hypothesis Hts : all_ok first ts.
Variable L : array (list int).
Hypothesis HL : forall s, small s -> L.[s] = map int_of (cells_of s).
Variables (d : deal) (r b : cell).
Hypotheses (Hd : length d = 16) (Hr : r < 16) (Hb : b < 16) (N : r <> b).

Theorem solve_winner :
  (solve ts L 16 d r b = true <-> wins first d (start r b)) /\
  (solve ts L 16 d r b = false <-> loses first d (start r b)).
Proof.
  pose proof (search_winner first Hfirst L HL d _ (good_cells 0%uint63 d) (rows_of_ok first ts d Hts Hd) r b Hr Hb N) as H.
  fold (solve ts L 16 d r b) in H.
  assert (X : wins first d (start r b) -> loses first d (start r b) -> False).
  { intros (n & W) (m & Z). exact (not_both _ _ _ _ _ W Z). }
  destruct (solve ts L 16 d r b); split; split; intros; try easy; exfalso; eauto.
Qed.

Theorem solve_within n :
  if solve ts L (S n) d r b then succeeds first d (S n) (start r b) else fails first d (S n) (start r b).
Proof. exact (search_within first Hfirst L HL d _ (good_cells 0%uint63 d) (rows_of_ok first ts d Hts Hd) n r b Hr Hb N). Qed.
End Tables.

(** ** Legal moves, computed: the tests compare them with those of another program *)
Definition legal_moves ts (d : deal) (up : mask) (m o : cell) : list cell :=
  cells_of (without (rows_of ts d).[int_of m].[up] (int_of o)).

Theorem legal_moves_ok first ts d up m o : some_steps first -> all_ok first ts -> length d = 16 ->
  small up -> m < 16 -> o < 16 -> forall e, In e (legal_moves ts d up m o) <-> legal first d (pos up m o) e.
Proof.
  intros Hf Hts Hd Hup Hm Ho e.
  pose proof (row_holds first d (rows_of ts d) (rows_of_ok first ts d Hts Hd) m up Hm Hup) as Hr.
  destruct (holds_without _ _ o Ho Hr) as [_ He]. unfold legal_moves. rewrite in_cells_of. split.
  - intros [H16 H]. now apply He.
  - intros H. assert (H16 : e < 16) by (destruct H as [H _]; now apply (reachable_16 first Hf d) in H).
    split; [easy|]. now apply He.
Qed.
