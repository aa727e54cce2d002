(** * The joker rules: half of the deals are enough

    Under the joker rules the first move of each player reaches every card but those of the pawns. So it does
    not matter which of the two jacks is red's. Exchanging them, and moving the board so that red's jack is in
    the corner again, gives pairs of deals with the same winner; of each pair one deal is solved and counted
    twice. The pairs are told apart by the cards around the jacks. *)
From Coq Require Import List Arith NArith Lia Permutation Uint63 PArray Bool.
From Collapsi Require Import Rules Solver Tables Sound Count Symmetry Census.
Import ListNotations.
Open Scope nat_scope.
Local Notation length := List.length.

(** ** Exchanging the cards: both jacks are alike *)
Definition exchange (k : card) : card :=
  match k with RedJack => BlueJack | BlueJack => RedJack | _ => k end.
Definition exchanged (d : deal) : deal := map exchange d.

Lemma exchange_twice k : exchange (exchange k) = k.
Proof. now destruct k. Qed.
Lemma exchanged_lies d c k : lies (exchanged d) c k <-> lies d c (exchange k).
Proof.
  unfold lies, exchanged. rewrite nth_error_map. destruct (nth_error d c) as [x|]; cbn [option_map]; [|easy].
  split; intros H; injection H as E; f_equal.
  - now rewrite <- E, exchange_twice.
  - now rewrite E, exchange_twice.
Qed.
Lemma exchange_steps first k : steps first (exchange k) = steps first k.
Proof. now destruct k. Qed.
Lemma exchanged_legal first d p e : legal first (exchanged d) p e <-> legal first d p e.
Proof.
  unfold legal, reachable. split; intros [(k & via & Hk & Hl & H) N]; (split; [|easy]).
  - apply exchanged_lies in Hk. exists (exchange k), via. rewrite exchange_steps. tauto.
  - exists (exchange k), via. rewrite exchanged_lies, exchange_twice, exchange_steps. tauto.
Qed.
Lemma exchanged_within first d n : forall p,
  (wins_within first (exchanged d) n p <-> wins_within first d n p) /\
  (loses_within first (exchanged d) n p <-> loses_within first d n p).
Proof.
  induction n as [|n IH]; intros p.
  - split; [easy|]. split; intros H; apply cannot_move; intros e He; apply (loses_0 _ _ _ H e);
    now apply exchanged_legal.
  - rewrite !wins_S, !loses_S. split; split.
    + intros (e & He & H). exists e. split; [apply exchanged_legal, He | apply IH, H].
    + intros (e & He & H). exists e. split; [apply exchanged_legal, He | apply IH, H].
    + intros H e He. apply IH, H. apply exchanged_legal, He.
    + intros H e He. apply IH, H. apply exchanged_legal, He.
Qed.

(** ** Exchanging the pawns: the first moves reach everything *)
Definition reaches_all (ts : list (list table)) : bool :=
  forallb (fun a => forallb (fun r => forallb (fun e =>
    implb (negb (a =? e))
      (has (table_of ts 0 a).[65535%uint63] e && implb (negb (a =? r) && negb (r =? e))
        (has (table_of ts 0 a).[drop 65535%uint63 r] e)))
    cells16) cells16) cells16.

(** The tables are variables here: Coq would otherwise compute them when it compares terms. *)
Section Pawns.
Variable ts : list (list table).
Hypothesis Hts : all_ok joker ts.
Hypothesis Hall : reaches_all ts = true.
Variable d : deal.

Lemma reaches a r e : a < 16 -> r < 16 -> e < 16 -> a <> e ->
  has (table_of ts 0 a).[65535%uint63] e = true /\
  (a <> r -> r <> e -> has (table_of ts 0 a).[drop 65535%uint63 r] e = true).
Proof.
  intros Ha Hr He N. unfold reaches_all in Hall. rewrite forallb_forall in Hall.
  apply in_cells16 in Ha, Hr, He. specialize (Hall a Ha). rewrite forallb_forall in Hall.
  specialize (Hall r Hr). rewrite forallb_forall in Hall. specialize (Hall e He).
  apply Nat.eqb_neq in N. rewrite N in Hall. cbn [negb implb] in Hall. apply andb_true_iff in Hall.
  destruct Hall as [H1 H2]. split; [easy|]. intros N1 N2. apply Nat.eqb_neq in N1, N2.
  now rewrite N1, N2 in H2.
Qed.
Lemma walks a up e k : lies d a k -> kind k = 0 -> a < 16 -> small up -> e < 16 ->
  has (table_of ts 0 a).[up] e = true -> reachable joker d (cells_of up) a e.
Proof.
  intros Hk K Ha Hup He H. pose proof (Hts k a Ha up Hup) as [_ T]. rewrite K in T.
  apply (T e He) in H. destruct H as (n & Hn & via & <- & H). exists k, via. tauto.
Qed.

Lemma first_move r b e k : lies d r k -> kind k = 0 -> r < 16 -> b < 16 ->
  legal joker d (start r b) e <-> e < 16 /\ e <> r /\ e <> b.
Proof.
  intros Hk K Hr Hb. split.
  - intros [H N]. apply (reachable_in joker joker_steps d) in H. cbn [face_up mover other start] in *.
    rewrite in_seq in H. repeat split; try easy; lia.
  - intros (He & Nr & Nb). split; [|easy]. cbn [face_up mover other start].
    change (seq 0 16) with (cells_of 65535%uint63). apply (walks r _ e k Hk K Hr); [reflexivity | easy |].
    apply (reaches r b e); auto.
Qed.
Lemma second_move r b e f k : lies d b k -> kind k = 0 -> r < 16 -> b < 16 -> r <> b ->
  legal joker d (after (start r b) e) f <-> f < 16 /\ f <> r /\ f <> b /\ f <> e.
Proof.
  intros Hk K Hr Hb N. change (start r b) with (pos 65535%uint63 r b). rewrite after_pos by easy. split.
  - intros [H Ne]. cbn [face_up mover other pos] in *.
    pose proof (reachable_16 joker joker_steps d _ _ _ H) as H16.
    apply (reachable_in joker joker_steps d) in H. destruct H as [H Nb].
    rewrite cells_of_drop in H by easy. apply in_remove in H. tauto.
  - intros (Hf & Nr & Nb & Ne). split; [|easy]. cbn [face_up mover other pos].
    apply (walks b _ f k Hk K Hb); [now apply small_drop | easy |]. apply (reaches b r f); auto.
Qed.

Lemma pawns_exchanged r b k l n : lies d r k -> lies d b l -> kind k = 0 -> kind l = 0 ->
  r < 16 -> b < 16 -> r <> b ->
  wins_within joker d (S (S n)) (start r b) -> wins_within joker d (S (S n)) (start b r).
Proof.
  intros Hk Hl K K' Hr Hb N. rewrite !wins_S. intros (e & He & H). exists e. split.
  - apply (first_move r b e k) in He; auto. apply (first_move b r e l); auto. tauto.
  - rewrite loses_S in H |- *. intros f Hf. apply (second_move b r e f k) in Hf; auto.
    assert (E : after (after (start b r) e) f = after (after (start r b) e) f).
    { unfold after, start. cbn [face_up mover other]. now rewrite remove_remove_comm. }
    rewrite E. apply H. apply (second_move r b e f l); auto. tauto.
Qed.
End Pawns.

Section Winner.
Variable ts : list (list table).
Hypothesis Hts : all_ok joker ts.
Hypothesis Hall : reaches_all ts = true.

Lemma exchanged_red_1 d : length d = 16 -> red_wins joker (exchanged d) -> red_wins joker d.
Proof.
  intros Hd (n & r & b & Hr & Hb & W). apply exchanged_lies in Hr, Hb. cbn [exchange] in Hr, Hb.
  apply (exchanged_within joker d n) in W.
  assert (L : forall c k, lies d c k -> c < 16).
  { intros c k H. rewrite <- Hd. apply nth_error_Some. unfold lies in H. now rewrite H. }
  assert (N : r <> b) by (intros ->; unfold lies in *; congruence).
  exists (S (S n)), b, r. split; [easy|]. split; [easy|].
  apply (pawns_exchanged ts Hts Hall d r b BlueJack RedJack n); eauto.
  apply (more_plies joker d n); [lia | easy].
Qed.
Lemma exchanged_twice d : exchanged (exchanged d) = d.
Proof.
  unfold exchanged. rewrite map_map. rewrite <- (map_id d) at 2. apply map_ext. apply exchange_twice.
Qed.
Lemma exchanged_red d : length d = 16 -> red_wins joker (exchanged d) <-> red_wins joker d.
Proof.
  intros Hd. split; [now apply exchanged_red_1|]. intros H. apply exchanged_red_1.
  - unfold exchanged. now rewrite map_length.
  - now rewrite exchanged_twice.
Qed.
End Winner.

(** ** The partner of a deal *)
(** [flip b] exchanges the corner and cell [b]: it reverses the directions in which they differ. *)
Definition flip (b : cell) : list nat :=
  map (fun c => the (fun x => beq (bits x) (map (fun p => xorb (fst p) (snd p)) (combine (bits b) (bits c)))))
    cells16.
Lemma flip_renames b : b < 16 -> renames (flip b) = true.
Proof. revert b. apply for_cells. vm_compute. reflexivity. Qed.
Lemma flip_inverse b c : b < 16 -> c < 16 ->
  to (inverse (flip b)) (to (inverse (flip b)) c) = c.
Proof. intros Hb Hc. apply Nat.eqb_eq. revert b c Hb Hc. apply for_cells2. vm_compute. reflexivity. Qed.
Lemma flip_corner b : b < 16 -> to (inverse (flip b)) 0 = b /\ to (inverse (flip b)) b = 0 /\
  to (flip b) b = 0 /\ to (flip b) 0 = b.
Proof.
  intros H. assert (E : (to (inverse (flip b)) 0 =? b) && (to (inverse (flip b)) b =? 0) &&
    (to (flip b) b =? 0) && (to (flip b) 0 =? b) = true).
  { revert b H. apply for_cells. vm_compute. reflexivity. }
  rewrite !andb_true_iff, !Nat.eqb_eq in E. tauto.
Qed.

Definition partner (d : deal) : deal := moved (flip (find_blue d)) (exchanged d).

Lemma exchanged_deal d : is_deal d -> is_deal (exchanged d).
Proof.
  unfold is_deal, exchanged. intros P. apply (Permutation_map exchange) in P. rewrite <- P. apply perm_swap.
Qed.
Section Partner.
Variable d : deal.
Hypothesis Hd : is_corner_deal d.
Let b := find_blue d.

Lemma partner_lies c k : lies (partner d) c k <-> c < 16 /\ lies d (to (inverse (flip b)) c) (exchange k).
Proof.
  destruct (jacks d Hd) as (_ & _ & _ & H16 & _). unfold partner.
  rewrite moved_lies, exchanged_lies; [easy | now apply flip_renames |].
  apply deal_16, exchanged_deal, Hd.
Qed.
Lemma partner_corner : is_corner_deal (partner d).
Proof.
  destruct (jacks d Hd) as (_ & _ & Hb & H16 & _). split.
  - exact (moved_deal _ _ (flip_renames _ H16) (exchanged_deal d (proj1 Hd))).
  - apply partner_lies. split; [lia|]. rewrite (proj1 (flip_corner b H16)). now apply Hb.
Qed.
Lemma partner_blue : find_blue (partner d) = b.
Proof.
  destruct (jacks d Hd) as (_ & _ & _ & H16 & _).
  destruct (jacks _ partner_corner) as (_ & _ & Hb & _). symmetry. apply Hb. apply partner_lies.
  split; [easy|]. rewrite (proj1 (proj2 (flip_corner b H16))). apply Hd.
Qed.
End Partner.
Lemma partner_twice d : is_corner_deal d -> partner (partner d) = d.
Proof.
  intros H. pose proof (partner_corner d H) as H'. destruct (jacks d H) as (Hl & _ & _ & H16 & _).
  apply same_list.
  - rewrite Hl. exact (deal_16 _ (proj1 (partner_corner _ H'))).
  - intros c k L. apply (partner_lies _ H') in L. destruct L as [Hc L]. rewrite (partner_blue d H) in L.
    apply (partner_lies _ H) in L. destruct L as [_ L]. now rewrite flip_inverse, exchange_twice in L.
Qed.

(** ** Which of the two is counted: that with less around red's jack *)
Open Scope N_scope.
Definition points (k : card) : N :=
  match k with RedJack | BlueJack => 0 | Ace => 1 | Two => 5 | Three => 25 | Four => 125 end.
Definition around (c : cell) (d : deal) : N := total (fun x => points (nth x d Ace)) (neighbours c).
Definition share (d : deal) : N :=
  match N.compare (around 0%nat d) (around (find_blue d) d) with Lt => 2 | Eq => 1 | Gt => 0 end.

Lemma neighbours_nodup c : (c < 16)%nat -> NoDup (neighbours c).
Proof.
  intros H. do 16 (destruct c as [|c]; [cbn; repeat constructor; cbn; lia|]). lia.
Qed.
Lemma around_moved g c d : renames g = true -> (c < 16)%nat ->
  around (to g c) (moved g d) = around c d.
Proof.
  intros G Hc. destruct (renames_renaming g G) as (R & _). unfold around.
  assert (P : Permutation (neighbours (to g c)) (map (to g) (neighbours c))).
  { pose proof (r_in _ _ R c Hc) as Hg. apply NoDup_Permutation.
    - now apply neighbours_nodup.
    - apply FinFun.Injective_map_NoDup; [exact (inj _ _ R) | now apply neighbours_nodup].
    - intros y. rewrite in_map_iff. split.
      + intros Hy. pose proof (neighbours_16 _ _ Hg Hy) as Hy16.
        exists (to (inverse g) y). split; [apply (r_right _ _ R)|]. apply neighbours_spec; [easy | |].
        * now apply (r_out _ _ R).
        * rewrite <- (r_left _ _ R c). apply (r_back _ _ R); [easy | easy |].
          now apply neighbours_spec in Hy.
      + intros (x & <- & Hx). pose proof (neighbours_16 _ _ Hc Hx) as Hx16.
        apply neighbours_spec; [easy | now apply (r_in _ _ R) |]. apply (r_adj _ _ R); [easy | easy |].
        now apply neighbours_spec in Hx. }
  rewrite (total_perm _ _ _ P). unfold total. rewrite map_map. f_equal. apply map_ext_in. intros x Hx.
  unfold moved. rewrite nth_map_cells by (apply (r_in _ _ R); exact (neighbours_16 _ _ Hc Hx)).
  now rewrite (r_left _ _ R).
Qed.
Lemma around_exchanged c d : around c (exchanged d) = around c d.
Proof.
  apply total_ext. intros x _. unfold exchanged. change Ace with (exchange Ace) at 1. rewrite map_nth.
  now destruct (nth x d Ace).
Qed.

Lemma share_moved g d : good g = true -> is_corner_deal d -> share (moved g d) = share d.
Proof.
  intros G H. destruct (jacks d H) as (_ & _ & _ & H16 & _). destruct (good_corner g G) as (R & Z & _).
  unfold share. rewrite moved_blue by easy. rewrite <- Z at 1. now rewrite !around_moved by (auto; lia).
Qed.
Lemma share_partner d : is_corner_deal d -> share d + share (partner d) = 2.
Proof.
  intros H. destruct (jacks d H) as (_ & _ & _ & H16 & _). unfold share. rewrite partner_blue by easy.
  pose proof (flip_renames _ H16) as R. destruct (flip_corner _ H16) as (_ & _ & F0 & Fb).
  assert (E0 : around 0%nat (partner d) = around (find_blue d) d).
  { unfold partner. rewrite <- F0 at 1. now rewrite around_moved, around_exchanged. }
  assert (Eb : around (find_blue d) (partner d) = around 0%nat d).
  { unfold partner. rewrite <- Fb at 1. rewrite around_moved, around_exchanged by (auto; lia). reflexivity. }
  rewrite E0, Eb. rewrite (N.compare_antisym (around 0%nat d)). now destruct (N.compare (around 0%nat d) _).
Qed.

Lemma shared_sum D (f : deal -> N) : NoDup D -> (forall d, In d D <-> is_corner_deal d) ->
  (forall d, is_corner_deal d -> f (partner d) = f d) ->
  total f D = total (fun d => share d * f d) D.
Proof.
  intros HN HI Hf.
  assert (P : total (fun d => share (partner d) * f d) D = total (fun d => share d * f d) D).
  { transitivity (total (fun d => share d * f d) (map partner D)).
    - unfold total. rewrite map_map. f_equal. apply map_ext_in. intros d Hd.
      rewrite Hf; [easy | now apply HI].
    - apply total_perm. apply NoDup_Permutation_bis.
      + assert (HD : forall d, In d D -> is_corner_deal d) by (intros d; apply HI). clear HI Hf.
        induction D as [|d D IH]; cbn [map]; [constructor|]. inversion HN as [|? ? Hn HN']; subst.
        constructor.
        * intros Hi. apply in_map_iff in Hi. destruct Hi as (e & E & Hi). apply Hn.
          rewrite <- (partner_twice d), <- E, partner_twice by (apply HD; cbn; auto). exact Hi.
        * apply IH; [easy|]. intros x Hx. apply HD. now right.
      + rewrite map_length. lia.
      + intros x Hx. apply in_map_iff in Hx. destruct Hx as (d & <- & Hd). apply HI, partner_corner, HI, Hd. }
  assert (E : 2 * total f D = 2 * total (fun d => share d * f d) D); [|lia].
  rewrite <- total_mul. transitivity (total (fun d => share d * f d + share (partner d) * f d) D).
  - apply total_ext. intros d Hd. apply HI in Hd. rewrite <- (share_partner d Hd). lia.
  - rewrite total_add, P. lia.
Qed.

(** ** All deals *)
Section Census.
Variable ts : list (list table).
Hypothesis Hts : all_ok joker ts.
Hypothesis Hall : reaches_all ts = true.
Variable L : array (list int).
Hypothesis HL : forall s, small s -> L.[s] = map int_of (cells_of s).
Notation red := (red ts L).

Lemma red_partner d : is_corner_deal d -> red (partner d) = red d.
Proof.
  intros H. pose proof (partner_corner d H) as H'. destruct (jacks d H) as (Hd & _ & _ & H16 & _).
  destruct (red_ok joker joker_steps ts Hts L HL d H) as [A _].
  destruct (red_ok joker joker_steps ts Hts L HL _ H') as [A' _].
  apply eq_true_iff_eq. rewrite <- A, <- A'. unfold partner.
  rewrite (moved_red joker _ _ (flip_renames _ H16)).
  - now apply (exchanged_red ts Hts Hall).
  - unfold exchanged. now rewrite map_length.
Qed.

(** What counts for a deal (its cards in reverse): its weight times its share if red wins. Deals without a
    weight or a share are not solved. *)
Definition joker_leaf (r : list card) : N :=
  let d := rev' r in let w := weight d in
  if w =? 0 then 0 else let s := share d in if s =? 0 then 0 else if red d then w * s else 0.
Lemma joker_leaf_0 d : is_corner_deal d -> weight d = 0 -> joker_leaf (rev' d) = 0.
Proof. intros _ H. unfold joker_leaf, rev'. rewrite <- !rev_alt, rev_involutive. now rewrite H. Qed.
Lemma joker_total D : NoDup D -> (forall d, In d D <-> is_corner_deal d) ->
  total (fun d => if red d then 1 else 0) D = total (fun d => joker_leaf (rev' d)) D.
Proof.
  intros HN HI. rewrite (shared_sum D (fun d => if red d then 1 else 0) HN HI).
  - rewrite (weighted_sum D (fun d => share d * (if red d then 1 else 0)) HN HI).
    + apply total_ext. intros d _. unfold joker_leaf, rev'. rewrite <- !rev_alt, rev_involutive.
      destruct (N.eqb_spec (weight d) 0) as [->|_]; [lia|].
      destruct (N.eqb_spec (share d) 0) as [->|_]; [lia|].
      destruct (red d); lia.
    + intros g d G H. now rewrite share_moved, (red_kept joker joker_steps ts Hts L HL).
  - intros d H. now rewrite red_partner.
Qed.

Theorem joker_census deals wins :
  tally (fun _ => 1) 15 rest [RedJack] 0 = deals ->
  total (fun p => tally_promising joker_leaf 12 (snd p) (fst p) 0) (prefixes 3 [RedJack] rest) = wins ->
  winners joker is_corner_deal wins (deals - wins).
Proof.
  intros HA HR. rewrite (promising_parts joker_leaf joker_leaf_0) in HR. rewrite total_corner in HA.
  unfold deal in *.
  pose proof (sizes_of joker joker_steps ts Hts L HL corner_deals corner_deals_nodup corner_deals_in) as S.
  pose proof (joker_total corner_deals corner_deals_nodup corner_deals_in) as T. unfold deal in *.
  rewrite T, HR, HA in S. exact (proj2 S).
Qed.
End Census.

(** ** What the generated files compute *)
Lemma joker_reaches : reaches_all joker_tables = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Definition part_joker (cards : list card) (left : bag) : N :=
  tally_promising (joker_leaf joker_tables lists) 12 left cards 0.

Theorem joker_by_parts :
  tally (fun _ => 1) 15 rest [RedJack] 0 = 47297250 ->
  total (fun p => part_joker (fst p) (snd p)) (prefixes 3 [RedJack] rest) = 17721000 -> claim_joker.
Proof.
  exact (joker_census joker_tables (all_tables_ok joker joker_steps) joker_reaches lists lists_get
    47297250 17721000).
Qed.
