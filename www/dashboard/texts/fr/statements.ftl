nav-statements = Relevés
statements-help = Chaque ligne du relevé d’un opérateur est comparée à son paiement. Les écarts sont affichés.
statements-none = Aucun relevé n’a encore été importé.
statements-older = Relevés plus anciens
statements-imported = Importé
statements-operator = Opérateur
statements-days = Jours
statements-lines = Lignes
statements-line = Ligne
statements-agreeing = Concordent
statements-differing = Lignes qui diffèrent
statements-missing = Paiements sans ligne
statements-compare = comparer
statements-compare-days = Comparer un mois
statements-compare-help = Toutes les lignes importées de ces jours, 31 au plus, avec tous les paiements de ces jours, dans les deux sens.
statements-compare-button = Comparer
statements-bad-period = Choisissez un premier et un dernier jour, 31 jours au plus.
period-title = { $operator }, du { $from } au { $to }
statements-abandoned = L’importation a été interrompue et quelqu’un l’a abandonnée. Pour les lignes qui manquent, importez un autre fichier des mêmes jours.
statements-cut-off = L’importation a été interrompue. Importez de nouveau le même fichier : elle continue.
statements-import = Importer un relevé
statements-file = Fichier
statements-sheet = Feuille du classeur, si plusieurs ont des lignes
statements-file-help = Un classeur (.xlsx) ou un CSV avec les colonnes nommées dans la configuration, 16 Mio au plus. Rien n’est enregistré si une ligne est erronée, et le même fichier deux fois ne change rien.
statements-no-operator = Aucun relevé d’opérateur ne peut être affiché ici : il faut avoir ce rôle dans chaque boutique qui utilise l’opérateur.
statements-choose-operator = Choisissez un opérateur.
statements-choose-file = Choisissez un fichier.
statements-bad-file = Le fichier ne peut pas être lu comme un relevé. Rien n’a été enregistré.
statements-bad-lines = Des lignes du fichier sont erronées. Rien n’a été enregistré.
statements-more-faults = { $count ->
    [one] { $count } autre ligne est erronée.
   *[other] { $count } autres lignes sont erronées.
}
statements-fetch = Récupérer un relevé
statements-fetch-help = Auprès des opérateurs dont l’API offre des relevés. Cela peut prendre une demi-minute. Rien n’est enregistré si une ligne est erronée, et les mêmes jours deux fois ne changent rien.
statements-from = Premier jour
statements-to = Dernier jour
statements-choose-days = Choisissez le premier et le dernier jour.
statements-days-reversed = Le premier jour ne doit pas être après le dernier.
statements-days-too-long = Un relevé couvre 31 jours au plus. Récupérez une période plus longue en plusieurs fois.
statements-days-not-begun = Le dernier jour ne doit pas être après aujourd’hui.
statements-not-offered = L’API de cet opérateur n’offre pas de relevés. Téléchargez le fichier depuis son portail, puis importez-le.
statements-not-fetched = L’opérateur n’a pas fourni de relevé. Rien n’a été enregistré. Réessayez plus tard.
done-statement-imported = Le relevé est importé. L’opérateur est interrogé sur les paiements en cours qu’il contient.
done-statement-repeated = Ce fichier a déjà été importé. Rien n’a changé.
done-statement-days-changed = Ce fichier a déjà été importé. Les jours que le relevé couvre ont changé.
statement-title = Relevé de { $operator }
statement-agrees = Toutes les lignes concordent, et chaque paiement réussi du { $from } au { $to } a une ligne.
statement-nothing = Rien à comparer : aucune ligne ne date du { $from } au { $to }, et aucun paiement réussi de ces jours n’est sans ligne.
statement-lines-agree = Toutes les lignes concordent.
statement-missing = { $count ->
    [one] { $count } paiement réussi du { $from } au { $to } n’a pas de ligne.
   *[other] { $count } paiements réussis du { $from } au { $to } n’ont pas de ligne.
}
statement-missing-help = Un fichier créé avant les derniers paiements de ses jours ne les contient pas, et un paiement vers minuit peut être dans le fichier du jour suivant. Un fichier plus récent ajoute les lignes qui manquent. Les lignes enregistrées restent telles quelles.
statement-fetch-again = Récupérer de nouveau ces jours
statement-import-newer = Importer un fichier plus récent
statement-none-missing = Chaque paiement réussi du { $from } au { $to } a une ligne.
statement-not-compared = Les paiements n’ont pas été cherchés dans le relevé, car aucune ligne n’indique les jours qu’il couvre.
statement-differs = { $count ->
    [one] { $count } ligne ne concorde pas.
   *[other] { $count } lignes ne concordent pas.
}
statement-all = Tout afficher
statement-outcome = Résultat
statement-operators-id = Identifiant de l’opérateur
statement-payment = Paiement
statement-theirs = Relevé (GH₵)
statement-ours = Tua (GH₵)
statement-sums = Ce qui ne concorde pas, avec les sommes
statement-count = Nombre
statement-difference = Différence (GH₵)
statement-fees = (les frais)
statement-fee = Frais
statement-cut = Le tableau contient les 1 000 premières lignes qui ne concordent pas. Le fichier les contient toutes.
statement-download = Télécharger les écarts en CSV
statement-back = Tous les relevés
outcome-matched = Concorde
outcome-missing-at-the-operator = Absent chez l’opérateur
outcome-missing-with-us = Aucun paiement réussi ici
outcome-amount-differs = Montant différent
outcome-fee-differs = Frais différents
outcome-duplicate = Doublon
outcome-reversed = Remboursé par l’opérateur
statement-late = { $count ->
    [one] dont { $count } d’une journée clôturée, comptabilisée le jour ouvert
   *[other] dont { $count } de journées clôturées, comptabilisées le jour ouvert
}
