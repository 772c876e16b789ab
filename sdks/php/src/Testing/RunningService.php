<?php

declare(strict_types=1);

namespace Tua\Testing;

use Tua\Exception\UsageException;

/** A service in test mode on a database of its own, for the tests of a shop. No network is needed. */
final class RunningService
{
    private const START_TIMEOUT = 20.0;

    /** The API root, for the client. */
    public readonly string $baseUrl;
    /** A test key with all scopes, for the client. */
    public readonly string $secretKey;
    private readonly string $accountId;

    /** @param resource $process */
    private function __construct(private readonly string $program, private readonly string $folder, int $port, private $process)
    {
        $this->baseUrl = "http://127.0.0.1:{$port}/v1";
        try {
            $this->waitUntilReady($port);
            $account = $this->run('account', 'create', '--name', 'Test');
        } catch (UsageException $error) {
            $this->stop();
            throw $error;
        }
        $this->accountId = $account['accountId'];
        $this->secretKey = $account['keys']['testV2'];
    }

    /**
     * Starts a service. Call `stop` when the tests have ended.
     *
     * @param string|null $program The program tua: TUA_BIN where it is null, else `tua` on the path.
     * @param float $speed How many times as fast as usual the sandbox decides.
     */
    public static function start(?string $program = null, float $speed = 20): self
    {
        $program ??= getenv('TUA_BIN') ?: 'tua';
        $folder = sys_get_temp_dir() . '/tua-' . bin2hex(random_bytes(8));
        mkdir($folder, 0700);
        $port = self::findFreePort();
        $flags = ['--listen', "127.0.0.1:{$port}", '--database', "sqlite://{$folder}/tua.db", '--sandbox-speed', (string) $speed];
        $null = ['file', '/dev/null', 'w'];
        $process = @proc_open([$program, 'serve', ...$flags], [1 => $null, 2 => $null], $pipes, $folder);
        if ($process === false) {
            rmdir($folder);
            throw new UsageException("{$program} does not start.");
        }
        return new self($program, $folder, $port, $process);
    }

    /** Adds the address of a shop that runs, and returns the endpoint's secret. */
    public function addWebhook(string $url): string
    {
        return $this->run('webhook', 'add', '--account', $this->accountId, '--mode', 'test', '--url', $url)['secret'];
    }

    /** Ends the service and deletes its database. */
    public function stop(): void
    {
        proc_terminate($this->process);
        proc_close($this->process);
        array_map(unlink(...), glob("{$this->folder}/*") ?: []);
        rmdir($this->folder);
    }

    private function waitUntilReady(int $port): void
    {
        $deadline = hrtime(true) + self::START_TIMEOUT * 1e9;
        while (hrtime(true) < $deadline && proc_get_status($this->process)['running']) {
            if (@file_get_contents("http://127.0.0.1:{$port}/readyz") !== false) {
                return;
            }
            usleep(50_000);
        }
        throw new UsageException("{$this->program} does not start, or is not ready in 20 seconds.");
    }

    /** @return array<string, mixed> */
    private function run(string ...$arguments): array
    {
        $command = [$this->program, ...$arguments, '--database', "sqlite://{$this->folder}/tua.db", '--json'];
        $process = proc_open($command, [1 => ['pipe', 'w']], $pipes, $this->folder);
        $printed = $process === false ? '' : (string) stream_get_contents($pipes[1]);
        $isRight = $process !== false && proc_close($process) === 0;
        return $isRight
            ? json_decode($printed, true, flags: JSON_THROW_ON_ERROR)
            : throw new UsageException("{$this->program} {$arguments[0]} {$arguments[1]} failed.");
    }

    private static function findFreePort(): int
    {
        $server = stream_socket_server('tcp://127.0.0.1:0');
        $port = (int) substr((string) strrchr((string) stream_socket_get_name($server, false), ':'), 1);
        fclose($server);
        return $port;
    }
}
