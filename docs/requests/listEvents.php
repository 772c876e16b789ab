<?php

require 'vendor/autoload.php';

$tua = new Tua\Tua(getenv('TUA_SECRET_KEY'), getenv('TUA_API_URL'));
foreach ($tua->events->follow(after: getenv('EVENT_ID')) as $event) {
    echo $event->id, ' ', $event->type, "\n";
    if ($event->type === 'charge.successful') {
        break; // a real program goes on
    }
}
