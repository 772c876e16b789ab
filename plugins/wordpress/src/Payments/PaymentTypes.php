<?php

declare(strict_types=1);

namespace TuaPayments\Payments;

defined('ABSPATH') || exit;

/** The private post type of payments, and its statuses. */
final class PaymentTypes
{
    public const PAYMENT = 'tua_payment';

    public static function register(): void
    {
        register_post_type(self::PAYMENT, [
            'labels' => [
                'name' => __('Payments', 'tua-payments'),
                'singular_name' => __('Payment', 'tua-payments'),
                'edit_item' => __('Payment', 'tua-payments'),
                'search_items' => __('Search payments', 'tua-payments'),
                'not_found' => __('No payments yet.', 'tua-payments'),
                'all_items' => __('Payments', 'tua-payments'),
            ],
            'public' => false,
            'show_ui' => true,
            'show_in_menu' => 'tua-payments',
            'supports' => false,
            'rewrite' => false,
            'query_var' => false,
            'can_export' => false,
            'map_meta_cap' => false,
            'capabilities' => self::capabilities(),
        ]);
        foreach (PurchaseState::cases() as $state) {
            register_post_status($state->value, [
                'label' => $state->label(),
                'public' => false,
                'internal' => false,
                'private' => true,
                'exclude_from_search' => true,
                'show_in_admin_all_list' => true,
                'show_in_admin_status_list' => true,
                // translators: %s: a number of payments.
                'label_count' => _n_noop('%s payment', '%s payments', 'tua-payments'),
            ]);
        }
    }

    /**
     * Who manages the site reads payments. Nobody writes or deletes them by hand.
     *
     * @return array<string, string>
     */
    private static function capabilities(): array
    {
        $read = ['edit_post', 'read_post', 'edit_posts', 'edit_others_posts', 'read_private_posts', 'edit_private_posts'];
        $never = ['create_posts', 'delete_post', 'delete_posts', 'delete_others_posts', 'publish_posts'];
        return array_fill_keys($read, 'manage_options') + array_fill_keys($never, 'do_not_allow');
    }
}
