-- The requests that wrk sends. Prints `RESULT finished rate p50 p99 p99.9 refused broken`: finished are requests, or
-- whole payments; rate is what finished per second; times are in µs.
-- Arguments: the requests, the credential, a file of transaction ids, requests per second (0: no limit).

local next_request
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

-- The pause before the next request, so that requests are sent at a fixed rate, independent of the responses.
local function wait()
  first = first or milliseconds()
  sent = sent + 1
  return math.max(0, first + sent * 1000 / pace - milliseconds())
end

local function word() return string.format("%08x", math.random(0, 0x7fffffff)) end

local function add_idempotency_key()
  wrk.headers["idempotency-key"] = word() .. "-" .. word() .. "-" .. word() .. "-" .. word()
end

local function order()
  orders = orders + 1
  return orders
end

local CHARGE = '{"amount": 10.5, "phoneNumber": "0241234567", "network": "MTN", "reference": "order-%d"}'
local SESSION = '{"amount": 10.5, "email": "ama@example.com", "reference": "order-%d"}'
local PAYERS_CHARGE = '{"phoneNumber": "0241234567", "network": "MTN"}'

local function charge() return wrk.format("POST", "/v1/charge", nil, CHARGE:format(order())) end

local function charge_with_key()
  add_idempotency_key()
  return charge()
end

local function session()
  add_idempotency_key()
  return wrk.format("POST", "/v1/checkout", nil, SESSION:format(order()))
end

local function status() return wrk.format("GET", "/v1/status/" .. ids[math.random(#ids)]) end

-- A whole payment: a session, the charge with its token, two polls with the token. Responses name the order, by which
-- the payment is found.
local POLLS = 2
local payments, queue, first_in_queue, last_in_queue = {}, {}, 1, 0

local function add_to_queue(request)
  last_in_queue = last_in_queue + 1
  queue[last_in_queue] = request
end

local function payment_request()
  local request = queue[first_in_queue]
  if request == nil then return session() end
  queue[first_in_queue] = nil
  first_in_queue = first_in_queue + 1
  return request
end

local function payment_response(_, _, body)
  local order = body:match('"reference":"order%-(%d+)"')
  if order == nil then return end
  local payment = payments[order]
  if payment == nil then
    local token = body:match('"(tua_checkout_[^"]+)"')
    payment = { polls = 0, headers = { ["x-api-key"] = token, ["content-type"] = "application/json" } }
    payments[order] = payment
    add_to_queue(wrk.format("POST", "/v1/charge", payment.headers, PAYERS_CHARGE))
  elseif payment.polls < POLLS then
    payment.polls = payment.polls + 1
    local id = body:match('"(txn_[^"]+)"')
    add_to_queue(wrk.format("GET", "/v1/status/" .. id, payment.headers))
  else
    payments[order] = nil
    finished = finished + 1
  end
end

local REQUESTS = {
  charge = charge,
  ["charge-with-key"] = charge_with_key,
  session = session,
  status = status,
  payment = payment_request,
}

local threads = {}
function setup(thread) threads[#threads + 1] = thread end

function init(arguments)
  next_request = REQUESTS[arguments[1]]
  for id in io.lines(arguments[3]) do ids[#ids + 1] = id end
  pace = tonumber(arguments[4])
  -- wrk reads these variables once, before the first request.
  if pace > 0 then delay = wait end
  if arguments[1] == "payment" then
    finished = 0
    response = payment_response
  end
  math.randomseed(os.time())
  wrk.headers["content-type"] = "application/json"
  wrk.headers["x-api-key"] = arguments[2]
end

function request() return next_request() end

function done(summary, latency)
  -- Only whole payments are counted by the script.
  local finished = threads[1]:get("finished") or summary.requests
  local errors = summary.errors
  print(string.format("RESULT %d %d %d %d %d %d %d", finished, finished * 1000000 / summary.duration,
    latency:percentile(50), latency:percentile(99), latency:percentile(99.9),
    errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
