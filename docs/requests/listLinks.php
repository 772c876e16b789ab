<?php

require 'vendor/autoload.php';

$tua = new Tua\Tua(getenv('TUA_SECRET_KEY'), getenv('TUA_API_URL'));
foreach ($tua->links->list(pageSize: 10) as $link) {
    echo $link->linkId, ' ', $link->url, ' ', $link->status, "\n";
}
