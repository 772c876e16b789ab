nav-keys = Clés secrètes
keys-text = Un programme utilise une clé pour commencer des paiements. Les clés de cette page sont celles du mode ci-dessus.
keys-key = Clé
keys-scopes = Ce qu’elle permet
keys-used = Dernière utilisation
keys-state = État
keys-never-used = Jamais
keys-made = Créée le { $at }
keys-expires = Expire le { $at }
keys-expired = Expirée le { $at }
keys-revoked = Révoquée le { $at }
keys-revoke = Révoquer
keys-revoke-which = Révoquer { $id }
keys-rotate = Remplacer
keys-rotate-which = Remplacer { $id }
keys-rotate-verb = Remplacer la clé { $who }
keys-rotate-text = Vous recevez une nouvelle clé qui permet la même chose. Mettez-la sur votre serveur ; l’ancienne n’est alors plus nécessaire.
keys-rotate-overlap = Combien de temps l’ancienne clé fonctionne encore
keys-rotate-hours = { $hours ->
    [1] 1 heure
    [168] 7 jours
    [720] 30 jours
   *[other] { $hours } heures
 }
keys-rotate-ended = Cette clé ne fonctionne plus et ne peut donc pas être remplacée. Créez-en une nouvelle.
keys-rotated = L’ancienne clé { $key } fonctionne jusqu’au { $at }. Mettez la nouvelle sur votre serveur avant cette date.
keys-none = Il n’y a pas de clés.
keys-create = Créer une clé
keys-created = La clé a été créée
keys-created-text = Copiez-la maintenant sur votre serveur : elle n’est affichée qu’une fois.
keys-name = Nom : quel programme l’utilise
keys-no-scope = Choisissez au moins une chose que la clé permet.
keys-live-refused = Aucune clé n’a été créée : les opérateurs des réglages ne servent pas ce compte. Demandez à la personne qui gère le service.
scope-collect = encaissements et pages de paiement
scope-payout = versements
scope-refund = remboursements
scope-read = tout lire, sauf les adresses des webhooks
scope-webhooks = ajouter, changer et supprimer les adresses auxquelles les webhooks sont envoyés

nav-audit = Journal d’audit
nav-alerts = Alertes
audit-text = Chaque changement par des personnes, des commandes et le service, et chaque connexion. Les entrées ne peuvent pas être modifiées : chacune est scellée avec la précédente.
audit-action = Action
audit-every-action = Toutes les actions
audit-filter = Filtrer
audit-verify = Vérifier le journal
audit-unbroken = Le journal est intact : { $number } entrées ont été vérifiées.
audit-broken = Le journal est rompu à l’entrée { $number } : elle a été modifiée, insérée ou supprimée.
audit-key-missing = L’entrée { $number } a été scellée avec une ancienne clé du serveur, que ce service n’a pas.
audit-when = Quand
audit-who = Qui
audit-what = Quoi
audit-values = Valeurs
audit-source-command-line = Ligne de commande
audit-source-api = API
audit-source-dashboard = Tableau de bord
audit-source-start = Démarrage du service
audit-source-service = Le service lui-même
actor-service = Le service lui-même
actor-command-line = Ligne de commande ({ $user })
actor-command-line-named = { $name }, ligne de commande ({ $user })
audit-way-password = Avec mot de passe et code
audit-way-passkey = Avec une clé d’accès
audit-way-provider = Avec le fournisseur de connexion
audit-before = Avant
audit-after = Après
audit-none = Il n’y a pas d’entrées ici.
audit-older = Entrées plus anciennes

nav-settings = Réglages
settings-name = Nom
settings-save = Enregistrer
settings-receipts = Reçus
settings-receipts-text = Un e-mail avec le montant, la référence et la date, aux payeurs qui ont donné une adresse, une fois leur paiement ou remboursement réussi.
settings-receipts-send = Envoyer des reçus aux payeurs
settings-payouts = Limites des versements et remboursements
settings-payouts-text = En cedis, pour le mode ci-dessus. Un champ vide signifie aucune limite. Augmenter ou supprimer une limite demande un deuxième propriétaire ou administrateur, s’il y en a un.
settings-limit = Le plus grand versement
settings-daily-limit = La plus grande somme d’un jour
settings-approval-above = Une deuxième personne approuve les versements au-dessus de
settings-refund-approval-above = Une deuxième personne approuve les remboursements au-dessus de
settings-retention = Conservation
settings-retention-none = Les données qui nomment un payeur peuvent être effacées dès que le paiement est définitif.
settings-retention-years = { $years ->
    [one] Les données qui nomment un payeur peuvent être effacées { $years } an après le dernier changement du paiement.
   *[other] Les données qui nomment un payeur peuvent être effacées { $years } ans après le dernier changement du paiement.
}
settings-retention-days = { $days ->
    [one] Les données qui nomment un payeur peuvent être effacées { $days } jour après le dernier changement du paiement.
   *[other] Les données qui nomment un payeur peuvent être effacées { $days } jours après le dernier changement du paiement.
}
settings-retention-text = Ceux qui gèrent le service fixent cette durée et effacent les données d’une personne avec une commande. Montants, heures, réseaux et issues ne sont jamais effacés.
fault-amount = Entrez des cedis à partir de 0 avec 2 décimales au plus, ou rien.
done-link-ended = Le rôle a été changé. Les liens que la personne avait reçus ne fonctionnent plus : invitez-la de nouveau.
done-lift-requested = Enregistré. Ce qui relève une limite attend une deuxième personne, et les propriétaires ont été informés.
done-lift-approved = Les limites ont été relevées.
done-lift-refused = Les limites restent les mêmes.
settings-lift = Attend une deuxième personne
settings-lift-asked = { $email } l’a demandé le { $at } :
settings-lift-none = aucune limite
settings-lift-own = Un autre propriétaire ou administrateur l’approuve ou le refuse ici dans les 72 heures. Jusque-là, les limites ci-dessus comptent.
settings-lift-alone = Personne d’autre ne peut l’approuver maintenant, mais quelqu’un le pouvait il y a peu. Cette demande attend pendant 72 heures un autre propriétaire ou administrateur. S’il n’y en a pas à la fin, redemandez : elle comptera alors tout de suite.
settings-lift-approve = Relever ces limites
settings-lift-refuse = Laisser les limites comme elles sont
settings-lift-ended = Rien n’a été modifié : cette demande a été décidée, remplacée ou est trop ancienne. Ce qui compte maintenant est affiché ici.
