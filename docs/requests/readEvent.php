<?php

require 'vendor/autoload.php';

$tua = new Tua\Tua(getenv('TUA_SECRET_KEY'), getenv('TUA_API_URL'));
$event = $tua->events->get(getenv('EVENT_ID'));
echo $event->type, "\n";
