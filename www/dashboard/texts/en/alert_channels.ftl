channels-title = Alerts to a chat
channels-text = Alerts of this account and mode also go to chats and servers that you add here, in the language of this page. They have no phone numbers and no names: payments are named by their id. Alerts are collected for ten seconds, and a chat gets at most one message in a minute.
channels-own-mail = Choose which e-mails you yourself get, on Your security
channels-none = No chat receives alerts yet.
channels-full = There may be { $limit } of them. Remove one to add another.
channels-secret = This is the secret. It is shown only once; use it to verify the signatures
channels-settings = Send alerts to Slack, Telegram or your own server
channel-service-slack = Slack
channel-service-telegram = Telegram
channel-service-https = Server
channel-add-slack = Add Slack
channel-add-telegram = Add Telegram
channel-add-https = Add a server
channel-help-slack = The address of an incoming webhook of Slack, or of another chat that takes the same messages, such as Mattermost. Who has the address can write into the chat, so it is kept encrypted and never shown again.
channel-help-telegram = The token that BotFather gave you, and the chat in which the bot is: its number, or @ and the name of a public channel. The token is kept encrypted and never shown again.
channel-help-https = Your server gets JSON with kind, text and link of each alert, signed as webhooks are. The address is kept encrypted.
channel-token = Token of the bot
channel-chat = Chat
channel-refused = It was not added:
channel-topics = Alerts that it receives
channel-test = Send a test
channel-test-text = { $account }: this is a test. Alerts will arrive here.
channel-remove = Remove
channel-sent = The last message was accepted on { $at }.
channel-failed = The last message failed on { $at }:
channel-unused = Nothing has been sent yet.
channel-attempts = { $count ->
    [one] One attempt has failed since the last success. While alerts wait, the next one follows within an hour.
   *[other] { $count } attempts have failed since the last success. While alerts wait, the next one follows within an hour.
}
channel-given-up = { $count ->
    [one] One alert was not delivered within a day, and was given up.
   *[other] { $count } alerts were not delivered within a day, and were given up.
}
done-tested = The test has ended. What came of it is shown at the chat.
done-test-too-soon = Nothing was sent: the last test is less than 15 seconds old. Wait, and try again.
