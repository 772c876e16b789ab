<?php

// Runs code in the site: php cli.php <folder of WordPress> <code>. Prints the JSON of what it returns.
define('WP_INSTALLING', ($argv[3] ?? '') === 'installing');
$_SERVER['HTTP_HOST'] = getenv('SITE_HOST');
$_SERVER['REQUEST_URI'] = '/';
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
require "{$argv[1]}/wp-load.php";
require_once ABSPATH . 'wp-admin/includes/admin.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
echo json_encode(eval($argv[2]), JSON_THROW_ON_ERROR);
