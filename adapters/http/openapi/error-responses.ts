import type { ErrorCode } from '../../../domain/kernel/error-codes.ts'
import type { Operation } from '../operation.ts'
import { codesByStatus } from '../refusals.ts'
import type { ComponentSchemas, JsonSchema } from './component-schemas.ts'
import { errorBody, oauth2Error, rateLimitedBody } from './error-schemas.ts'
import { rateLimitHeaders } from './fixed-parts.ts'

const json = (schema: JsonSchema): JsonSchema => ({ content: { 'application/json': { schema } } })

const descriptions: Readonly<Record<number, string>> = {
  400: 'The request is refused; where part of it is not as it must be, `errors` says which.',
  401: 'A valid credential is needed.',
  403: 'Who sends the request may not do this, or nobody may for now, as while single sign-on is enforced.',
  404: 'What the request names is not there, or not for who sends it.',
  409: 'The request contradicts another one, or what has happened since.',
  429: 'Too many requests.',
  500: 'Something went wrong on the side of the server.',
  503: 'The server cannot answer right now.',
}

/** The responses that most operations share. They appear once in a document. */
export function sharedResponses(schemas: ComponentSchemas): JsonSchema {
  const rateLimited = schemas.jsonSchema(rateLimitedBody, 'output')
  return {
    TooManyRequests: { description: descriptions[429], headers: rateLimitHeaders, ...json(rateLimited) },
    ServerError: response(500, ['INTERNAL_SERVER_ERROR'], schemas),
    Unavailable: response(503, ['SERVICE_UNAVAILABLE'], schemas),
    Failure: { description: 'Any other failure.', ...json(schemas.jsonSchema(errorBody, 'output')) },
  }
}

/** The shared response for a status that has only one code. */
const shared: Readonly<Record<string, string>> = {
  RATE_LIMITED: 'TooManyRequests',
  INTERNAL_SERVER_ERROR: 'ServerError',
  SERVICE_UNAVAILABLE: 'Unavailable',
}

const reference = (name: string): JsonSchema => ({ $ref: `#/components/responses/${name}` })

/** The error responses of an operation, by status, each with its codes. */
export function errorResponses(operation: Operation, schemas: ComponentSchemas): JsonSchema {
  const listed = [...codesByStatus(operation)].map(([status, codes]): readonly [number, JsonSchema] => {
    const [only = '', ...others] = codes
    const name = others.length === 0 ? shared[only] : undefined
    if (name !== undefined) return [status, reference(name)]
    return [status, response(status, codes, schemas, status === 400 && operation.speaksOAuth2)]
  })
  return { ...Object.fromEntries(listed), default: reference('Failure') }
}

function response(
  status: number,
  codes: readonly ErrorCode[],
  schemas: ComponentSchemas,
  orOAuth2 = false,
): JsonSchema {
  const error = { allOf: [schemas.jsonSchema(errorBody, 'output'), { properties: { code: { enum: codes } } }] }
  const schema = orOAuth2 ? { anyOf: [schemas.jsonSchema(oauth2Error, 'output'), error] } : error
  const headers = status === 429 ? { headers: rateLimitHeaders } : {}
  return { description: descriptions[status] ?? 'A failure.', ...headers, ...json(schema) }
}
