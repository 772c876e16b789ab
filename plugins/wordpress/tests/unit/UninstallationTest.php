<?php

declare(strict_types=1);

namespace TuaPayments\Tests;

use PHPUnit\Framework\TestCase;
use TuaPayments\Items\Item;
use TuaPayments\Payments\PendingCheck;

/** The end of the plug-in on a network of sites. */
final class UninstallationTest extends TestCase
{
    protected function tearDown(): void
    {
        unset($GLOBALS['network']);
    }

    public function testEachSiteOfANetworkIsCleaned(): void
    {
        $GLOBALS['network'] = [
            1 => ['options' => ['tua_payments' => ['mode' => 'test'], 'blogname' => 'One'], 'crons' => [PendingCheck::HOOK], 'posts' => []],
            2 => ['options' => ['tua_payments' => ['delete_records' => '1'], 'woocommerce_tua_settings' => []], 'crons' => [PendingCheck::HOOK], 'posts' => []],
        ];
        switch_to_blog(1);
        new \StoredPost(5, Item::TYPE, 'publish');
        switch_to_blog(2);
        new \StoredPost(6, Item::TYPE, 'publish');
        new \StoredPost(7, 'page', 'publish');
        defined('WP_UNINSTALL_PLUGIN') || define('WP_UNINSTALL_PLUGIN', 'tua-payments/tua-payments.php');
        require dirname(__DIR__, 2) . '/uninstall.php';
        switch_to_blog(1);
        self::assertSame(['blogname' => 'One'], $GLOBALS['network'][1]['options']);
        self::assertSame([], $GLOBALS['network'][2]['options']);
        self::assertSame([[], []], array_column($GLOBALS['network'], 'crons'));
        self::assertSame([5], array_keys($GLOBALS['network'][1]['posts']), 'its settings keep the records');
        self::assertSame([7], array_keys($GLOBALS['network'][2]['posts']));
    }
}
