<?php

// Lets PHP's own web server serve a site with readable addresses.
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
$file = __DIR__ . $path;
if (is_file($file) || is_file(rtrim($file, '/') . '/index.php')) {
    return false;
}
require __DIR__ . '/index.php';
