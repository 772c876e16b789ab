const MAX_BODY_BYTES = 1_048_576;
import { json, type NextFunction, type Request, type RequestHandler, type Response } from "express";

/** A request whose bytes were kept: the signature covers them. */
export interface RequestWithBytes extends Request {
  rawBody?: Buffer;
}

const parse = json({
  limit: MAX_BODY_BYTES,
  verify: (request, _response, bytes) => {
    (request as unknown as RequestWithBytes).rawBody = Buffer.from(bytes);
  },
});

/** Keeps the bytes of a webhook before Vendure parses it. */
export const keepRawBody: RequestHandler = (request: Request, response: Response, next: NextFunction) =>
  parse(request, response, next);
