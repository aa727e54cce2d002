(** * The corner is no loss

    The claims count the deals with red's jack in the corner. Shifting the board moves any deal to one of
    those, so with the jacks on any cells there are sixteen times as many deals, with the same shares. *)
From Coq Require Import List Arith NArith Lia Permutation Bool.
From Collapsi Require Import Rules Solver Tables Sound Count Symmetry Census.
Import ListNotations.
Open Scope nat_scope.
Local Notation length := List.length.

(** ** The sixteen shifts: [shift t] moves the corner to cell [t], [back t] moves it back. *)
Definition shift (t : cell) : list nat :=
  map (fun c => 4 * ((c / 4 + t / 4) mod 4) + (c mod 4 + t mod 4) mod 4) cells16.
Definition back (t : cell) : list nat := inverse (shift t).

Lemma shift_renames t : t < 16 -> renames (shift t) = true.
Proof. revert t. apply for_cells. vm_compute. reflexivity. Qed.
Lemma back_renames t : t < 16 -> renames (back t) = true.
Proof. revert t. apply for_cells. vm_compute. reflexivity. Qed.
Lemma shift_corner t : t < 16 -> to (shift t) 0 = t.
Proof. intros H. apply Nat.eqb_eq. revert t H. apply for_cells. vm_compute. reflexivity. Qed.
Lemma back_corner t : t < 16 -> to (inverse (back t)) 0 = t.
Proof. intros H. apply Nat.eqb_eq. revert t H. apply for_cells. vm_compute. reflexivity. Qed.
Lemma shift_back t c : t < 16 -> c < 16 -> to (inverse (back t)) (to (inverse (shift t)) c) = c.
Proof. intros Ht Hc. apply Nat.eqb_eq. revert t c Ht Hc. apply for_cells2. vm_compute. reflexivity. Qed.

Lemma shift_lies d t : is_corner_deal d -> t < 16 -> lies (moved (shift t) d) t RedJack.
Proof.
  intros [P H] Ht. destruct (moved_same (shift t) d (shift_renames t Ht) (deal_16 d P)) as [S _].
  apply S in H. destruct H as [_ H]. now rewrite shift_corner in H.
Qed.
Lemma red_once d a b : is_deal d -> lies d a RedJack -> lies d b RedJack -> a = b.
Proof.
  intros P. apply lies_once. assert (E : forall k, count_occ card_eq d k = count_occ card_eq deck k).
  { intros k. symmetry. revert k. now apply Permutation_count_occ. }
  now rewrite E.
Qed.

(** Every deal is the shift of a deal with red's jack in the corner. *)
Lemma shifted d : is_deal d -> exists t e, t < 16 /\ is_corner_deal e /\ moved (shift t) e = d.
Proof.
  intros P. pose proof (deal_16 d P) as Hd.
  assert (HR : In RedJack d) by (apply (Permutation_in _ P); now left).
  apply In_nth_error in HR. destruct HR as (t & Ht).
  assert (H16 : t < 16) by (rewrite <- Hd; apply nth_error_Some; now rewrite Ht).
  pose proof (moved_deal (back t) d (back_renames t H16) P) as Pe.
  exists t, (moved (back t) d). split; [easy|]. split.
  - split; [easy|]. apply moved_lies; [now apply back_renames | easy |]. rewrite back_corner by easy.
    split; [lia | exact Ht].
  - apply same_list.
    + now rewrite Hd, (deal_16 _ (moved_deal (shift t) _ (shift_renames t H16) Pe)).
    + intros c k H. apply moved_lies in H; [|now apply shift_renames | now apply deal_16].
      destruct H as [Hc H].
      apply moved_lies in H; [|now apply back_renames | easy]. destruct H as [_ H].
      now rewrite shift_back in H.
Qed.

(** ** From the corner to all deals *)
Lemma nodup_app {A} (a b : list A) : NoDup a -> NoDup b -> (forall x, In x a -> ~ In x b) -> NoDup (a ++ b).
Proof.
  induction a as [|x a IH]; cbn; intros Ha Hb Hx; [easy|]. inversion Ha; subst. constructor.
  - rewrite in_app_iff. intros [|Hi]; [contradiction|]. exact (Hx x (or_introl eq_refl) Hi).
  - apply IH; [easy | easy |]. intros y Hy. apply Hx. now right.
Qed.
Lemma nodup_flat_map {A B} (f : A -> list B) l : NoDup l -> (forall a, In a l -> NoDup (f a)) ->
  (forall a b x, In a l -> In b l -> In x (f a) -> In x (f b) -> a = b) -> NoDup (flat_map f l).
Proof.
  induction l as [|a l IH]; intros Hl Hf Hd; cbn; [constructor|]. inversion Hl; subst. apply nodup_app.
  - apply Hf. now left.
  - apply IH; [easy | |].
    + intros b Hb. apply Hf. now right.
    + intros b c x Hb Hc. apply Hd; now right.
  - intros x Hx Hi. apply in_flat_map in Hi. destruct Hi as (b & Hb & Hi).
    assert (a = b) by (apply (Hd a b x); [now left | now right | easy | easy]). now subst.
Qed.
Lemma flat_map_size {A B} (f : A -> list B) l n : (forall a, In a l -> length (f a) = n) ->
  length (flat_map f l) = length l * n.
Proof.
  induction l as [|a l IH]; intros H; cbn; [easy|]. rewrite app_length, IH, (H a); [easy | now left |].
  intros b Hb. apply H. now right.
Qed.

(** A property that shifts keep holds for sixteen times as many deals as in the corner. *)
Theorem sixteen (P : deal -> Prop) n :
  (forall t d, t < 16 -> is_corner_deal d -> P (moved (shift t) d) <-> P d) ->
  size (fun d => is_corner_deal d /\ P d) n -> size (fun d => is_deal d /\ P d) (16 * n)%N.
Proof.
  intros HP (l & HN & HI & Hn). exists (flat_map (fun t => map (moved (shift t)) l) cells16). split; [|split].
  - apply nodup_flat_map.
    + apply seq_NoDup.
    + intros t Ht. apply in_cells16 in Ht. clear Hn.
      assert (Hl : forall d, In d l -> length d = 16) by (intros d H; apply HI in H; apply deal_16, H).
      clear HI. induction l as [|d l IH]; cbn; [constructor|]. inversion HN as [|? ? Hx HN']; subst.
      constructor.
      * intros Hi. apply in_map_iff in Hi. destruct Hi as (e & E & Hi). apply Hx.
        apply moved_inj in E; [now subst | now apply shift_renames | |]; apply Hl; [now right | now left].
      * apply IH; [easy|]. intros e He. apply Hl. now right.
    + intros s t x Hs Ht Hxs Hxt. apply in_cells16 in Hs, Ht.
      apply in_map_iff in Hxs. destruct Hxs as (d & <- & Hd). apply in_map_iff in Hxt.
      destruct Hxt as (e & E & He).
      apply HI in Hd, He. destruct Hd as [Hd _], He as [He _]. pose proof (shift_lies d s Hd Hs) as Ls.
      pose proof (shift_lies e t He Ht) as Lt. rewrite E in Lt.
      apply (red_once (moved (shift s) d)); [|easy|easy].
      apply moved_deal; [now apply shift_renames | apply Hd].
  - intros x. rewrite in_flat_map. split.
    + intros (t & Ht & Hx). apply in_cells16 in Ht. apply in_map_iff in Hx. destruct Hx as (d & <- & Hd).
      apply HI in Hd. destruct Hd as [Hd Hp]. split; [|now apply HP].
      apply moved_deal; [now apply shift_renames | apply Hd].
    + intros [Hx Hp]. destruct (shifted x Hx) as (t & e & Ht & He & <-). exists t. rewrite in_cells16.
      split; [easy|].
      apply in_map, HI. split; [easy|]. now apply (HP t e).
  - rewrite (flat_map_size _ _ (length l)) by (intros; apply map_length).
    change (length cells16) with 16. rewrite <- Hn. lia.
Qed.

Theorem anywhere : claim -> claim_anywhere.
Proof.
  intros (HA & HR & HB). split; [|split].
  - apply size_iff with (P := fun d => is_deal d /\ True); [tauto|].
    apply (sixteen (fun _ => True) 47297250); [tauto|].
    revert HA. apply size_iff. tauto.
  - apply (sixteen (red_wins standard) 36752487); [|exact HR]. intros t d Ht [Hd _].
    apply moved_red; [now apply shift_renames | now apply deal_16].
  - apply (sixteen (blue_wins standard) 10544763); [|exact HB]. intros t d Ht [Hd _].
    split; intros (n & H); exists n; apply (moved_wins standard (shift t) d n);
      [now apply shift_renames | now apply deal_16 | exact H | now apply shift_renames | now apply deal_16 |
      exact H].
Qed.
