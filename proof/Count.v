(** * Every deal is counted once

    [arrangements] lists the orders of a bag of cards, each exactly once. [tally] goes through them without
    building the list, and adds up a number for each; [size_total] turns such a sum into the [size] of the
    claims. Without this, a computed sum would say nothing about the number of deals. *)
From Coq Require Import List Arith NArith Lia Permutation.
From Collapsi Require Import Rules.
Import ListNotations.
Open Scope nat_scope.
Local Notation length := List.length.

(** ** Arrangements of a bag of cards *)
Definition bag := list (card * nat).
Definition cards_of (g : bag) : list card := flat_map (fun p => repeat (fst p) (snd p)) g.
Fixpoint picks (g : bag) : list (card * bag) :=
  match g with
  | [] => []
  | (k, n) :: g =>
    let others := map (fun p => (fst p, (k, n) :: snd p)) (picks g) in
    match n with O => others | S n' => (k, (k, n') :: g) :: others end
  end.
Fixpoint arrangements (n : nat) (g : bag) : list (list card) :=
  match n with
  | O => [[]]
  | S n => flat_map (fun p => map (cons (fst p)) (arrangements n (snd p))) (picks g)
  end.

Lemma picks_perm g : forall k g', In (k, g') (picks g) -> Permutation (k :: cards_of g') (cards_of g).
Proof.
  induction g as [|[k0 n] g IH]; cbn [picks]; [easy|]. intros k g' H.
  assert (Ho : In (k, g') (map (fun p => (fst p, (k0, n) :: snd p)) (picks g)) ->
               Permutation (k :: cards_of g') (cards_of ((k0, n) :: g))).
  { intros Hi. apply in_map_iff in Hi. destruct Hi as ([k1 g1] & E & Hi). cbn in E. injection E as <- <-.
    change (cards_of ((k0, n) :: g1)) with (repeat k0 n ++ cards_of g1).
    change (cards_of ((k0, n) :: g)) with (repeat k0 n ++ cards_of g).
    rewrite Permutation_middle. apply Permutation_app_head. now apply IH. }
  destruct n as [|n']; [auto|]. destruct H as [E|H]; [|auto]. injection E as <- <-. reflexivity.
Qed.
Lemma picks_all g k : In k (cards_of g) -> exists g', In (k, g') (picks g).
Proof.
  induction g as [|[k0 n] g IH]; [easy|]. change (cards_of ((k0, n) :: g)) with (repeat k0 n ++ cards_of g).
  rewrite in_app_iff. cbn [picks]. intros [H|H].
  - destruct n as [|n']; [easy|]. apply repeat_spec in H. subst. eexists. now left.
  - destruct (IH H) as (g' & Hg).
    assert (Hi : In (k, (k0, n) :: g') (map (fun p => (fst p, (k0, n) :: snd p)) (picks g))).
    { apply in_map_iff. now exists (k, g'). }
    exists ((k0, n) :: g'). destruct n; [exact Hi | now right].
Qed.
Lemma picks_keys g : forall k g', In (k, g') (picks g) -> map fst g' = map fst g.
Proof.
  induction g as [|[k0 n] g IH]; cbn [picks]; [easy|]. intros k g' H.
  assert (Ho : In (k, g') (map (fun p => (fst p, (k0, n) :: snd p)) (picks g)) ->
    map fst g' = k0 :: map fst g).
  { intros Hi. apply in_map_iff in Hi. destruct Hi as ([k1 g1] & E & Hi). cbn in E. injection E as <- <-.
    cbn. f_equal. eauto. }
  destruct n as [|n']; [auto|]. destruct H as [E|H]; [|auto]. injection E as <- <-. reflexivity.
Qed.
Lemma picks_in g : forall k, In k (map fst (picks g)) -> In k (map fst g).
Proof.
  induction g as [|[k0 n] g IH]; cbn [picks]; [easy|]. intros k H.
  assert (Ho : In k (map fst (map (fun p => (fst p, (k0, n) :: snd p)) (picks g))) -> In k (map fst g)).
  { rewrite map_map. cbn. apply IH. }
  destruct n as [|n']; cbn; [auto|]. destruct H as [E|H]; auto.
Qed.
Lemma picks_nodup g : NoDup (map fst g) -> NoDup (map fst (picks g)).
Proof.
  induction g as [|[k0 n] g IH]; cbn [picks map fst]; [constructor|]. intros H.
    inversion H as [|? ? Hn Hd]; subst.
  destruct n as [|n']; cbn [map fst]; rewrite map_map; cbn [fst]; [auto|]. constructor; [|auto]. intros Hi.
  now apply picks_in in Hi.
Qed.

Lemma arrangements_in n : forall g ks, length (cards_of g) = n ->
  In ks (arrangements n g) <-> Permutation ks (cards_of g).
Proof.
  induction n as [|n IH]; intros g ks Hn; cbn [arrangements].
  - destruct (cards_of g); [|easy]. split.
    + intros [<-|[]]. constructor.
    + intros H. apply Permutation_sym, Permutation_nil in H. subst. now left.
  - rewrite in_flat_map. split.
    + intros ([k g'] & Hp & Hi). cbn in Hi. apply in_map_iff in Hi. destruct Hi as (ks' & <- & Hi).
      pose proof (picks_perm _ _ _ Hp) as P. rewrite <- P. constructor. apply IH; [|easy].
      apply Permutation_length in P. cbn in P. lia.
    + intros P. destruct ks as [|k ks]. { apply Permutation_nil in P. rewrite P in Hn. easy. }
      destruct (picks_all g k) as (g' & Hg). { apply (Permutation_in k P). now left. }
      exists (k, g'). split; [easy|]. cbn [fst snd]. apply in_map. pose proof (picks_perm _ _ _ Hg) as Q.
      apply IH; [apply Permutation_length in Q; cbn in Q; lia|].
      apply Permutation_cons_inv with (a := k). now rewrite P, Q.
Qed.
Lemma arrangements_nodup n : forall g, NoDup (map fst g) -> NoDup (arrangements n g).
Proof.
  induction n as [|n IH]; intros g Hg; cbn [arrangements]. { constructor; [intros [] | constructor]. }
  pose proof (picks_nodup g Hg) as Hp. pose proof (picks_keys g) as Hk.
  induction (picks g) as [|[k g'] l IHl]; cbn; [constructor|]. cbn in Hp. inversion Hp as [|? ? Hn Hd]; subst.
  assert (Happ : forall (a b : list (list card)), NoDup a -> NoDup b -> (forall x, In x a -> ~ In x b) ->
    NoDup (a ++ b)).
  { induction a as [|x a IHa]; cbn; intros b Ha Hb Hx; [easy|]. inversion Ha; subst. constructor.
    - rewrite in_app_iff. intros [|Hi]; [contradiction|]. exact (Hx x (or_introl eq_refl) Hi).
    - apply IHa; [easy | easy |]. intros y Hy. apply Hx. now right. }
  apply Happ.
  - apply FinFun.Injective_map_NoDup; [intros a b E; now injection E|]. apply IH.
    rewrite (Hk k g'); [easy | now left].
  - apply IHl; [easy|]. intros k1 g1 H1. apply (Hk k1). now right.
  - intros x Hx Hi. apply in_map_iff in Hx. destruct Hx as (y & <- & _). apply in_flat_map in Hi.
    destruct Hi as ([k1 g1] & H1 & Hi). cbn in Hi. apply in_map_iff in Hi. destruct Hi as (z & E & _).
    injection E as -> _.
    apply Hn. apply in_map_iff. now exists (k, g1).
Qed.

(** ** The deals with red's jack in the corner *)
Definition rest : bag := [(BlueJack, 1); (Ace, 4); (Two, 4); (Three, 4); (Four, 2)].
Definition corner_deals : list deal := map (cons RedJack) (arrangements 15 rest).
Lemma corner_deals_nodup : NoDup corner_deals.
Proof.
  apply FinFun.Injective_map_NoDup; [intros a b E; now injection E|]. apply arrangements_nodup.
  cbn. repeat constructor; cbn; intuition discriminate.
Qed.
Lemma corner_deals_in d : In d corner_deals <-> is_corner_deal d.
Proof.
  unfold corner_deals, is_corner_deal, is_deal, lies. rewrite in_map_iff. split.
  - intros (ks & <- & H). apply arrangements_in in H; [|reflexivity]. split; [|reflexivity].
    change deck with (RedJack :: cards_of rest). constructor. now symmetry.
  - intros [P H]. destruct d as [|k ks]; [easy|]. injection H as ->. exists ks. split; [easy|].
    apply arrangements_in; [reflexivity|]. change deck with (RedJack :: cards_of rest) in P.
    apply Permutation_cons_inv in P. now symmetry.
Qed.

Fixpoint find_blue (d : deal) : cell :=
  match d with [] => 0 | BlueJack :: _ => 0 | _ :: d => S (find_blue d) end.
Lemma find_blue_ok d : In BlueJack d -> lies d (find_blue d) BlueJack.
Proof.
  unfold lies. induction d as [|k d IH]; [easy|]. intros [->|H]; [easy|]. destruct k; cbn; auto.
Qed.
Definition card_eq : forall x y : card, {x = y} + {x <> y}. Proof. decide equality. Defined.
Lemma lies_once d k : count_occ card_eq d k <= 1 -> forall a b, lies d a k -> lies d b k -> a = b.
Proof.
  unfold lies. induction d as [|x d IH]; intros Hc [|a] [|b] Ha Hb; cbn [nth_error] in *; try easy;
    cbn [count_occ] in Hc; destruct (card_eq x k) as [Ek|Nk].
  - apply nth_error_In, (count_occ_In card_eq) in Hb. lia.
  - now injection Ha as ->.
  - apply nth_error_In, (count_occ_In card_eq) in Ha. lia.
  - now injection Hb as ->.
  - f_equal. apply IH; auto. lia.
  - f_equal. now apply IH.
Qed.
Lemma jacks d : is_corner_deal d -> length d = 16 /\ (forall c, lies d c RedJack <-> c = 0) /\
  (forall c, lies d c BlueJack <-> c = find_blue d) /\ find_blue d < 16 /\ 0 <> find_blue d.
Proof.
  intros [P H0]. pose proof (Permutation_length P) as Hl. cbn in Hl.
  assert (Hc : forall k, count_occ card_eq d k = count_occ card_eq deck k).
  { intros k. symmetry. revert k. now apply Permutation_count_occ. }
  assert (Hb : lies d (find_blue d) BlueJack). { apply find_blue_ok. apply (Permutation_in _ P). cbn. auto. }
  repeat split.
  - easy.
  - intros H. apply (lies_once d RedJack); auto. now rewrite Hc.
  - now intros ->.
  - intros H. apply (lies_once d BlueJack); auto. now rewrite Hc.
  - now intros ->.
  - rewrite Hl. apply nth_error_Some. unfold lies in Hb. now rewrite Hb.
  - intros E. rewrite <- E in Hb. unfold lies in *. rewrite H0 in Hb. discriminate.
Qed.

(** ** Tallies *)
Open Scope N_scope.
Fixpoint sum (l : list N) : N := match l with [] => 0 | x :: l => x + sum l end.
Definition total {A} (f : A -> N) (l : list A) : N := sum (map f l).
Lemma sum_app a b : sum (a ++ b) = sum a + sum b.
Proof. induction a; cbn [sum app]; [easy|]. rewrite IHa. lia. Qed.
Lemma total_app {A} (f : A -> N) a b : total f (a ++ b) = total f a + total f b.
Proof. unfold total. now rewrite map_app, sum_app. Qed.

Section Tally.
Variable leaf : list card -> N.   (* of the cards, the last first *)
Fixpoint tally (n : nat) (g : bag) (r : list card) (acc : N) : N :=
  match n with
  | O => acc + leaf r
  | S n => fold_left (fun acc p => tally n (snd p) (fst p :: r) acc) (picks g) acc
  end.
Lemma tally_total n : forall g r acc,
  tally n g r acc = acc + total (fun ks => leaf (rev_append ks r)) (arrangements n g).
Proof.
  induction n as [|n IH]; intros g r acc; cbn [tally arrangements].
  - unfold total. cbn. lia.
  - revert acc. induction (picks g) as [|[k g'] l IHl]; intros acc; cbn [fold_left flat_map fst snd].
    + unfold total. cbn. lia.
    + rewrite IHl, IH, total_app. unfold total. rewrite map_map. cbn [rev_append]. lia.
Qed.
(* In parts: after the first card, and so on. *)
Lemma tally_parts n g r acc :
  tally (S n) g r acc = acc + total (fun p => tally n (snd p) (fst p :: r) 0) (picks g).
Proof.
  cbn [tally]. revert acc. induction (picks g) as [|[k g'] l IHl]; intros acc; cbn [fold_left fst snd].
  - unfold total. cbn. lia.
  - rewrite IHl. unfold total. cbn [map sum fst snd].
    rewrite (tally_total n g' (k :: r) acc), (tally_total n g' (k :: r) 0). lia.
Qed.
End Tally.

Lemma total_corner leaf : tally leaf 15 rest [RedJack] 0 = total (fun d => leaf (rev' d)) corner_deals.
Proof.
  rewrite tally_total. unfold corner_deals, total. rewrite map_map. reflexivity.
Qed.

(** ** From tallies to sizes *)
Lemma size_total {A} (f : A -> bool) (l : list A) : NoDup l ->
  size (fun x => In x l /\ f x = true) (total (fun x => if f x then 1 else 0) l).
Proof.
  intros H. exists (filter f l). repeat split.
  - now apply NoDup_filter.
  - now apply filter_In in H0.
  - now apply filter_In in H0.
  - intros [? ?]. now apply filter_In.
  - unfold total. clear H. induction l as [|x l IH]; cbn [filter map sum]; [easy|]. rewrite <- IH.
    destruct (f x); cbn [length]; lia.
Qed.
Lemma size_iff {A} (P Q : A -> Prop) n : (forall x, P x <-> Q x) -> size P n -> size Q n.
Proof. intros H (l & Hn & Hl & E). exists l. repeat split; auto; intros; firstorder. Qed.
