nav-operators = Opérateurs
operators-networks = Réseaux actuellement
operator-refuses-CHARGE = { $name } refuse tous les encaissements sur { $network }. Les clients de ce réseau ne peuvent pas payer.
operator-refuses-PAYOUT = { $name } refuse tous les versements vers { $network }. Personne sur ce réseau ne peut être payé.
operator-silent-CHARGE = { $name } ne répond pas quand des clients paient.
operator-silent-PAYOUT = { $name } ne répond pas aux versements.
operator-checked-at = Constaté par la vérification des identifiants à { $at }.
operator-mend = Voir l’opérateur, et vérifier de nouveau les identifiants
operators-draining = Ne prend pas de nouveaux paiements
operators-withheld = Les paiements sont retenus, car il ne répond pas
operators-refusing = Les paiements d’un réseau sont retenus, car il les a tous refusés. Appuyez sur Vérifier
operators-service-withheld = retenu
operators-services = Ce que cet opérateur peut servir, avec ses limites
operators-balance = Solde chez l’opérateur
operators-reserved = Pour les versements approuvés et pas encore envoyés : GH₵{ $reserved }. Reste pour d’autres versements : GH₵{ $available }.
operators-short = Le solde ne couvre pas les versements approuvés. Versez de l’argent chez l’opérateur.
operators-no-balance = Aucun solde n’a encore été lu.
operators-not-entitled = Le solde est montré aux personnes de tous les comptes que cet opérateur dessert.
operators-sandbox = Les paiements de test vont à l’opérateur de test, qui ne déplace aucun argent.
operator-sandbox = Opérateur de test
operators-none = Aucun opérateur n’est configuré pour les paiements réels.
operator-check-button = Vérifier les identifiants et la connexion
operator-check-title = Vérification de { $name }
operator-check-fine = L’opérateur accepte les identifiants, et les réglages sont justes.
operator-check-faults = { $count ->
    [one] { $count } vérification a trouvé une erreur.
   *[other] { $count } vérifications ont trouvé des erreurs.
}
operator-check-late = L’opérateur n’a pas répondu en 30 secondes.
operator-check-nothing = Il n’y a rien à vérifier chez cet opérateur.
operator-check-no-money = Aucun argent n’a bougé, et rien n’a été modifié.
operator-check-ok = OK
operator-check-fault = erreur
operator-check-again = Vérifier de nouveau
