<?php
/**
 * Plugin Name: Tua Payments
 * Description: Sells and takes donations by mobile money in Ghana (MTN, Telecel, AirtelTigo) through a Tua service, with a block, a shortcode and a WooCommerce gateway.
 * Version: 0.1.0
 * Requires at least: 6.1
 * Requires PHP: 8.1
 * Author: The Tua developers
 * License: MIT
 * License URI: https://opensource.org/license/mit
 * Text Domain: tua-payments
 * Domain Path: /languages
 * WC requires at least: 8.2
 */

declare(strict_types=1);

defined('ABSPATH') || exit;

require __DIR__ . '/src/autoload.php';

(new TuaPayments\Plugin(__FILE__))->register();
