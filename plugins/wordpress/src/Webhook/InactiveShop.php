<?php

declare(strict_types=1);

namespace TuaPayments\Webhook;

use TuaPayments\Service\Service;
use TuaPayments\Settings\Mode;
use TuaPayments\Settings\Settings;
use TuaPayments\Site;
use TuaPayments\Vendor\Tua\Exception\ApiException;
use TuaPayments\Vendor\Tua\Model\Refund;
use TuaPayments\Vendor\Tua\Model\Status;
use TuaPayments\WooCommerce\Orders;

defined('ABSPATH') || exit;

/** WooCommerce is switched off, such as while it is updated. Its orders are stored, and nobody can read them now. */
final class InactiveShop
{
    /**
     * Throws where the metadata of a checkout or charge names an order of this site that cannot be read: the service then sends
     * the event again.
     *
     * @param array<mixed>|null $metadata
     */
    public static function refuse(?array $metadata): void
    {
        $isOrder = ($metadata['source'] ?? null) === 'woocommerce' && ($metadata['site'] ?? null) === Site::address();
        if ($isOrder && !Orders::isReadable()) {
            throw new \RuntimeException('The event is about an order, and WooCommerce is not active.');
        }
    }

    /** The same for a refund, which has no metadata: its charge says what was paid. */
    public static function refuseRefund(Refund $refund, Mode $mode): void
    {
        if (Orders::isReadable() || $refund->status === Status::Pending || !Settings::isReady($mode)) {
            return;
        }
        try {
            $charge = Service::client($mode)->transactions->get($refund->transactionId);
        } catch (ApiException $error) {
            if ($error->status === 404) {
                return; // It is of another account.
            }
            throw $error;
        }
        self::refuse($charge->metadata);
    }
}
