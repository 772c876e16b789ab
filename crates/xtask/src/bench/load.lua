-- The requests that wrk sends. Prints `RESULT rate p50 p99 p99.9 refused broken`, with times in µs.
-- Arguments: the kind of request, the credential, a file of transaction ids, requests per second (0: no limit).

local method, path, body
local ids, orders = {}, 0
local pace, first, sent = 0, nil, 0

-- Lua's own clock has a resolution of one second.
local ffi = require("ffi")
ffi.cdef [[
  typedef struct { long s; long ns; } moment;
  int clock_gettime(int clock, moment *at);
]]
local at = ffi.new("moment")
local function milliseconds()
  ffi.C.clock_gettime(1, at)
  return tonumber(at.s) * 1000 + tonumber(at.ns) / 1000000
end

local function word() return string.format("%08x", math.random(0, 0x7fffffff)) end

-- The pause before the next request, so that requests are sent at a fixed rate, independent of the responses.
local function wait()
  first = first or milliseconds()
  sent = sent + 1
  return math.max(0, first + sent * 1000 / pace - milliseconds())
end

function init(arguments)
  local what, credential = arguments[1], arguments[2]
  for id in io.lines(arguments[3]) do ids[#ids + 1] = id end
  pace = tonumber(arguments[4])
  -- wrk reads this variable once, before the first request.
  if pace > 0 then delay = wait end
  math.randomseed(os.time())
  wrk.headers["content-type"] = "application/json"
  wrk.headers["x-api-key"] = credential
  if what == "charge" then
    method, path = "POST", "/v1/charge"
    body = '{"amount": 10.5, "phoneNumber": "0241234567", "network": "MTN", "reference": "order-%d"}'
  elseif what == "checkout" then
    method, path = "POST", "/v1/checkout"
    body = '{"amount": 10.5, "email": "ama@example.com", "reference": "order-%d"}'
  else
    method = "GET"
  end
end

function request()
  if method == "GET" then
    return wrk.format(method, "/v1/status/" .. ids[math.random(#ids)])
  end
  wrk.headers["idempotency-key"] = word() .. "-" .. word() .. "-" .. word() .. "-" .. word()
  orders = orders + 1
  return wrk.format(method, path, nil, body:format(orders))
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format("RESULT %d %d %d %d %d %d", summary.requests * 1000000 / summary.duration,
    latency:percentile(50), latency:percentile(99), latency:percentile(99.9),
    errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
