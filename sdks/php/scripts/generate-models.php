<?php

/*
 * Writes the classes of src/Model and src/Testing/events.json from docs/openapi.json. With --check it writes nothing and fails where they differ.
 *
 * - Money (schemas with the format `decimal`) is a decimal string.
 * - The statuses that never get another value (`enum`) are enums. Other strings are strings.
 * - Only the resources that this package returns have a class.
 */

declare(strict_types=1);

const FOLDER = __DIR__ . '/../src/';
const KEPT = [
    'Transaction',
    'TransactionWithMessage',
    'Refund',
    'Checkout',
    'OpenedCheckout',
    'Link',
    'PayoutBatch',
    'NetworkServices',
    'Quote',
    'WebhookEndpoint',
    'WebhookEndpointWithSecret',
    'EnabledWebhookEndpoint',
    'AdvancedSandboxClock',
];
const HEADER = "<?php\n\n// Generated from docs/openapi.json by scripts/generate-models.php. Do not edit.\n\ndeclare(strict_types=1);\n\nnamespace Tua\\Model;\n";

$document = json_decode(file_get_contents(__DIR__ . '/../../../docs/openapi.json'), true, flags: JSON_THROW_ON_ERROR);
$schemas = $document['components']['schemas'];
$files = [];
$left = KEPT;
while ($left !== []) {
    $name = array_pop($left);
    if (isset($files[$name])) {
        continue;
    }
    $files[$name] = isStatus($name, $schemas) ? writeEnum($name, $schemas[$name]) : writeClass($name, $schemas[$name], $schemas);
    array_push($left, ...findObjects(members($schemas[$name], $schemas), $schemas));
}
$files = array_combine(array_map(static fn (string $class): string => "Model/{$class}.php", array_keys($files)), $files);
$files['Testing/events.json'] = exampleEvents($document['webhooks']);
foreach ($files as $name => $text) {
    $file = FOLDER . $name;
    if (!in_array('--check', $argv, true)) {
        file_put_contents($file, $text);
    } elseif (!is_file($file) || file_get_contents($file) !== $text) {
        fwrite(STDERR, "{$name} differs from docs/openapi.json. Run: php scripts/generate-models.php\n");
        exit(1);
    }
}

/** An example of every event, by its type, as JSON. */
function exampleEvents(array $webhooks): string
{
    $examples = array_map(static function (array $operation): mixed {
        $examples = $operation['post']['requestBody']['content']['application/json']['examples'];
        return reset($examples)['value'];
    }, $webhooks);
    ini_set('serialize_precision', '-1');
    return json_encode($examples, JSON_THROW_ON_ERROR | JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE) . "\n";
}

/** All members of a schema, those of allOf included: name to schema. */
function members(array $schema, array $schemas): array
{
    $found = $schema['properties'] ?? [];
    foreach ($schema['allOf'] ?? [] as $part) {
        $found = array_merge(members(isset($part['$ref']) ? $schemas[refName($part)] : $part, $schemas), $found);
    }
    ksort($found);
    return $found;
}

function refName(array $schema): ?string
{
    return isset($schema['$ref']) ? basename($schema['$ref']) : null;
}

/** The schema without null, and whether it may be null. */
function withoutNull(array $schema): array
{
    if (isset($schema['oneOf'])) {
        return [$schema['oneOf'][0], true];
    }
    return [$schema, is_array($schema['type'] ?? null) && in_array('null', $schema['type'], true)];
}

/** Whether a schema is a status that never gets another value. */
function isStatus(?string $name, array $schemas): bool
{
    return $name !== null && str_ends_with($name, 'Status') && isset($schemas[$name]['enum']);
}

function isMoney(?string $name, array $schemas): bool
{
    return $name !== null && ($schemas[$name]['format'] ?? null) === 'decimal';
}

function isObject(?string $name, array $schemas): bool
{
    return $name !== null && $name !== 'Metadata' && (isset($schemas[$name]['properties']) || isset($schemas[$name]['allOf']));
}

/** The names of all objects and enums to which members refer. */
function findObjects(array $members, array $schemas): array
{
    $found = [];
    foreach ($members as $schema) {
        [$schema] = withoutNull($schema);
        $name = refName($schema['items'] ?? $schema);
        if (isObject($name, $schemas) || isStatus($name, $schemas)) {
            $found[] = $name;
        }
    }
    return $found;
}

/** The PHP type of a member, the expression that reads it, and its type for documentation. */
function typeOf(string $member, array $schema, array $schemas): array
{
    [$schema, $isNullable] = withoutNull($schema);
    $name = refName($schema);
    $kind = (array) ($schema['type'] ?? $schemas[$name ?? '']['type'] ?? 'string');
    $documented = null;
    [$type, $read] = match (true) {
        isMoney($name, $schemas) => ['string', "Reader::amount(\$data, '{$member}')"],
        isStatus($name, $schemas) => [$name, "Reader::enum(\$data, '{$member}', {$name}::class)"],
        $name === 'Metadata' => ['array', "Reader::map(\$data, '{$member}')"],
        isObject($name, $schemas) => [$name, "Reader::object(\$data, '{$member}', {$name}::class)"],
        $kind[0] === 'array' => ['array', null],
        $kind[0] === 'integer' => ['int', "Reader::int(\$data, '{$member}')"],
        $kind[0] === 'boolean' => ['bool', "Reader::bool(\$data, '{$member}')"],
        default => ['string', "Reader::string(\$data, '{$member}')"],
    };
    if ($name === 'Metadata') {
        $documented = 'array<mixed>' . ($isNullable ? '|null' : '');
    } elseif ($read === null) {
        $item = refName($schema['items']);
        $documented = "list<{$item}>";
        $read = "Reader::objects(\$data, '{$member}', {$item}::class)";
    }
    if ($isNullable) {
        return ["?{$type}", "isset(\$data['{$member}']) ? {$read} : null", $documented];
    }
    return [$type, $read, $documented];
}

function describe(array $schema, array $schemas): string
{
    [$inner] = withoutNull($schema);
    $name = refName($inner);
    $text = $schema['description'] ?? $inner['description'] ?? ($name ? $schemas[$name]['description'] ?? '' : '');
    return trim(preg_replace('/\s+/', ' ', $text));
}

function comment(string $text, string $indent): string
{
    if ($text === '') {
        return '';
    }
    $lines = explode("\n", wordwrap($text, 110 - strlen($indent)));
    if (count($lines) === 1) {
        return "{$indent}/** {$lines[0]} */\n";
    }
    return "{$indent}/**\n" . implode('', array_map(static fn (string $line): string => "{$indent} * {$line}\n", $lines)) . "{$indent} */\n";
}

function writeEnum(string $class, array $schema): string
{
    $cases = '';
    foreach ($schema['enum'] as $value) {
        $cases .= '    case ' . ucfirst(strtolower($value)) . " = '{$value}';\n";
    }
    return HEADER . "\n" . comment(describe($schema, []), '') . "enum {$class}: string\n{\n{$cases}}\n";
}

function writeClass(string $class, array $schema, array $schemas): string
{
    $parameters = '';
    $arguments = '';
    $members = members($schema, $schemas);
    foreach ($members as $member => $memberSchema) {
        [$type, $read, $documented] = typeOf($member, $memberSchema, $schemas);
        $text = describe($memberSchema, $schemas);
        $parameters .= comment($documented === null ? $text : trim("@var {$documented} {$text}"), '        ');
        $parameters .= "        public readonly {$type} \${$member},\n";
        $arguments .= "            {$read},\n";
    }
    $trait = isset($members['status']) && refName($members['status']) === 'Status' ? "    use Outcome;\n\n" : '';
    return HEADER . "\nuse Tua\\Internal\\Reader;\n\n" . comment(describe($schema, $schemas), '') .
        "final class {$class} extends Model\n{\n{$trait}    private function __construct(\n{$parameters}    ) {\n    }\n\n" .
        "    /** @param array<mixed> \$data */\n    public static function fromArray(array \$data): static\n    {\n" .
        "        return new static(\n{$arguments}        );\n    }\n}\n";
}
