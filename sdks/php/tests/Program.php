<?php

declare(strict_types=1);

namespace Tua\Tests;

/** A program of sdks/conformance while it runs. */
final class Program
{
    public const FOLDER = __DIR__ . '/../../conformance/';

    /** The line that the program prints first. */
    public readonly string $line;
    /** @var resource */
    private $process;
    /** @var array<int, resource> */
    private array $pipes = [];

    /** @param list<string> $command */
    public function __construct(array $command)
    {
        $process = proc_open($command, [['pipe', 'r'], ['pipe', 'w'], STDERR], $this->pipes);
        if ($process === false) {
            throw new \RuntimeException("{$command[0]} does not start");
        }
        $this->process = $process;
        $this->line = trim((string) fgets($this->pipes[1]));
    }

    public static function node(string $name): self
    {
        return new self(['node', self::FOLDER . $name]);
    }

    public function stop(): void
    {
        array_map(fclose(...), $this->pipes);
        proc_close($this->process);
    }
}
