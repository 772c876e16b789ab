<?php

// The fields of an item. $item is what is edited.
declare(strict_types=1);

use TuaPayments\Items\PaymentLinks;
use TuaPayments\Items\Presentation;

defined('ABSPATH') || exit;

/** @var TuaPayments\Items\Item $item */
$link = $item->presentation() === Presentation::Link ? PaymentLinks::current($item) : null;
?>
<table class="form-table" role="presentation">
    <tr>
        <th scope="row"><?php esc_html_e('What it is', 'tua-payments'); ?></th>
        <td>
            <label><input type="radio" name="tua_item[kind]" value="sale" <?php checked(!$item->isDonation()); ?>> <?php esc_html_e('Something that is sold', 'tua-payments'); ?></label><br>
            <label><input type="radio" name="tua_item[kind]" value="donation" <?php checked($item->isDonation()); ?>> <?php esc_html_e('A donation', 'tua-payments'); ?></label>
        </td>
    </tr>
    <tr>
        <th scope="row"><label for="tua-amount"><?php esc_html_e('Amount in GHS', 'tua-payments'); ?></label></th>
        <td>
            <input id="tua-amount" name="tua_item[amount]" value="<?php echo esc_attr((string) $item->amount()); ?>" inputmode="decimal" class="small-text">
            <p class="description"><?php esc_html_e('Tua takes Ghana cedis only. Leave it empty for a donation whose amount the payer chooses.', 'tua-payments'); ?></p>
        </td>
    </tr>
    <tr>
        <th scope="row"><?php esc_html_e('Limits of a chosen amount', 'tua-payments'); ?></th>
        <td>
            <label><?php esc_html_e('from', 'tua-payments'); ?> <input name="tua_item[min_amount]" value="<?php echo esc_attr((string) $item->minAmount()); ?>" inputmode="decimal" class="small-text"></label>
            <label><?php esc_html_e('to', 'tua-payments'); ?> <input name="tua_item[max_amount]" value="<?php echo esc_attr((string) $item->maxAmount()); ?>" inputmode="decimal" class="small-text"></label>
        </td>
    </tr>
    <tr>
        <th scope="row"><label for="tua-presentation"><?php esc_html_e('How payers pay', 'tua-payments'); ?></label></th>
        <td>
            <select id="tua-presentation" name="tua_item[presentation]">
                <?php foreach (Presentation::cases() as $presentation) : ?>
                    <option value="<?php echo esc_attr($presentation->value); ?>" <?php selected($item->presentation() === $presentation); ?>><?php echo esc_html($presentation->label()); ?></option>
                <?php endforeach; ?>
            </select>
            <?php if ($link !== null) : ?>
                <p><a href="<?php echo esc_url($link['url']); ?>"><?php echo esc_html($link['url']); ?></a></p>
            <?php endif; ?>
        </td>
    </tr>
    <tr>
        <th scope="row"><?php esc_html_e('Where it is shown', 'tua-payments'); ?></th>
        <td><code><?php echo esc_html("[tua_payment item=\"{$item->id}\"]"); ?></code>
            <p class="description"><?php esc_html_e('Put this shortcode in a page, or the block “Tua payment”.', 'tua-payments'); ?></p></td>
    </tr>
</table>
