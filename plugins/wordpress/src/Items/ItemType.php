<?php

declare(strict_types=1);

namespace TuaPayments\Items;

defined('ABSPATH') || exit;

/** The post type of items, and the page on which people edit one. */
final class ItemType
{
    private const NONCE = 'tua_payments_item';
    private const FAULTS = 'tua_payments_item_faults_';

    public static function register(): void
    {
        register_post_type(Item::TYPE, [
            'labels' => [
                'name' => __('Items', 'tua-payments'),
                'singular_name' => __('Item', 'tua-payments'),
                'add_new' => __('Add an item', 'tua-payments'),
                'add_new_item' => __('Add an item', 'tua-payments'),
                'edit_item' => __('Edit the item', 'tua-payments'),
                'search_items' => __('Search items', 'tua-payments'),
                'not_found' => __('No items yet.', 'tua-payments'),
                'all_items' => __('Items', 'tua-payments'),
            ],
            'public' => false,
            'show_ui' => true,
            'show_in_menu' => 'tua-payments',
            'supports' => ['title'],
            'rewrite' => false,
            'query_var' => false,
            'capabilities' => array_fill_keys([
                'edit_post', 'read_post', 'delete_post', 'edit_posts', 'edit_others_posts', 'publish_posts', 'read_private_posts',
                'delete_posts', 'delete_others_posts', 'create_posts', 'delete_published_posts', 'edit_published_posts',
            ], 'manage_options'),
            'map_meta_cap' => false,
        ]);
    }

    public static function addBoxes(): void
    {
        add_meta_box('tua-item', __('Payment', 'tua-payments'), self::showBox(...), Item::TYPE, 'normal', 'high');
    }

    public static function showBox(\WP_Post $post): void
    {
        $item = new Item($post->ID);
        wp_nonce_field(self::NONCE, 'tua_item_nonce');
        require dirname(__DIR__, 2) . '/templates/item-box.php';
    }

    /** Stores what was sent from the page of an item. */
    public static function save(int $postId): void
    {
        $nonce = sanitize_text_field(wp_unslash($_POST['tua_item_nonce'] ?? ''));
        if (!wp_verify_nonce($nonce, self::NONCE) || !current_user_can('manage_options') || wp_is_post_autosave($postId)) {
            return;
        }
        $fields = isset($_POST['tua_item']) && is_array($_POST['tua_item']) ? wp_unslash($_POST['tua_item']) : [];
        $sent = array_map(sanitize_text_field(...), $fields);
        $form = new ItemForm();
        $item = new Item($postId);
        $item->save($form->read($sent));
        if ($item->presentation() === Presentation::Link && get_post_status($postId) === 'publish' && !PaymentLinks::update($item)) {
            $form->faults[] = __('The payment link could not be created. Check the connection in the settings, then update this item.', 'tua-payments');
        }
        if ($form->faults !== []) {
            set_transient(self::FAULTS . get_current_user_id(), $form->faults, 60);
        }
    }

    /** Closes the payment link of an item that is not published any more. */
    public static function followStatus(string $new, string $old, \WP_Post $post): void
    {
        if ($post->post_type === Item::TYPE && $old === 'publish' && $new !== 'publish') {
            PaymentLinks::close(new Item($post->ID));
        }
    }

    public static function showFaults(): void
    {
        $name = self::FAULTS . get_current_user_id();
        $faults = get_transient($name);
        if (!is_array($faults)) {
            return;
        }
        delete_transient($name);
        foreach ($faults as $fault) {
            echo '<div class="notice notice-error"><p>' . esc_html((string) $fault) . '</p></div>';
        }
    }

    /**
     * @param array<string, string> $columns
     *
     * @return array<string, string>
     */
    public static function columns(array $columns): array
    {
        return array_slice($columns, 0, 2, true)
            + ['tua_amount' => __('Amount', 'tua-payments'), 'tua_code' => __('Shortcode', 'tua-payments')]
            + $columns;
    }

    public static function showColumn(string $column, int $postId): void
    {
        $item = new Item($postId);
        if ($column === 'tua_amount') {
            echo esc_html($item->amount() === null ? __('the payer chooses', 'tua-payments') : "GHS {$item->amount()}");
        } elseif ($column === 'tua_code') {
            echo '<code>' . esc_html("[tua_payment item=\"{$postId}\"]") . '</code>';
        }
    }
}
