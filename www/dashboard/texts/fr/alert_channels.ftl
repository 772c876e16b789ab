channels-title = Alertes vers une messagerie
channels-text = Les alertes de ce compte et de ce mode vont aussi aux messageries et aux serveurs que vous ajoutez ici, dans la langue de cette page. Elles n’ont ni numéros de téléphone ni noms : les paiements sont désignés par leur identifiant. Les alertes sont regroupées pendant dix secondes, et une messagerie reçoit au plus un message par minute.
channels-own-mail = Choisissez les e-mails que vous recevez vous-même, dans Votre sécurité
channels-none = Aucune messagerie ne reçoit d’alertes.
channels-full = Il peut y en avoir { $limit }. Retirez-en une pour en ajouter une autre.
channels-secret = Voici le secret. Il n’est affiché qu’une fois ; utilisez-le pour vérifier les signatures
channels-settings = Envoyer les alertes à Slack, à Telegram ou à votre serveur
channel-service-slack = Slack
channel-service-telegram = Telegram
channel-service-https = Serveur
channel-add-slack = Ajouter Slack
channel-add-telegram = Ajouter Telegram
channel-add-https = Ajouter un serveur
channel-help-slack = L’adresse d’un webhook entrant de Slack, ou d’une autre messagerie qui accepte les mêmes messages, comme Mattermost. Qui possède l’adresse peut écrire dans la messagerie : elle est donc chiffrée et n’est plus jamais affichée.
channel-help-telegram = Le jeton que BotFather vous a donné, et la discussion où se trouve le bot : son numéro, ou @ et le nom d’un canal public. Le jeton est chiffré et n’est plus jamais affiché.
channel-help-https = Votre serveur reçoit du JSON avec le type, le texte et le lien de chaque alerte, signé comme les webhooks. L’adresse est chiffrée.
channel-token = Jeton du bot
channel-chat = Discussion
channel-refused = Rien n’a été ajouté :
channel-topics = Ce qui est envoyé
channel-test = Envoyer un test
channel-test-text = { $account } : ceci est un test. Les alertes arriveront ici.
channel-remove = Retirer
channel-sent = Le dernier message a été accepté le { $at }.
channel-failed = Le dernier message a échoué le { $at } :
channel-unused = Rien n’a encore été envoyé.
channel-attempts = { $count ->
    [one] Une tentative a échoué depuis le dernier succès. Tant que des alertes attendent, la suivante a lieu dans l’heure.
   *[other] { $count } tentatives ont échoué depuis le dernier succès. Tant que des alertes attendent, la suivante a lieu dans l’heure.
}
channel-given-up = { $count ->
    [one] Une alerte n’a pas pu être envoyée en un jour, et a été abandonnée.
   *[other] { $count } alertes n’ont pas pu être envoyées en un jour, et ont été abandonnées.
}
done-tested = Le test est terminé. Son résultat est affiché à côté de la messagerie.
done-test-too-soon = Rien n’a été envoyé : le dernier test date de moins de 15 secondes. Attendez, puis réessayez.
