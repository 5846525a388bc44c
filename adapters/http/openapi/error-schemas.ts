import { z } from 'zod'
import { errorCodes } from '../../../domain/kernel/error-codes.ts'
import { fieldCodes } from '../../../domain/kernel/field-codes.ts'

const fieldError = z
  .object({
    path: z.string().meta({ description: 'Segments joined with dots; `root` or `body` for the whole.' }),
    code: z.enum(fieldCodes),
    message: z.string(),
    reason: z
      .enum(['missing', 'wrong_type', 'not_one_of', 'out_of_range', 'wrong_length', 'malformed_json', 'not_supported'])
      .optional()
      .meta({ description: 'What is wrong, where the code alone does not tell. The members below go with it.' }),
    expected: z.array(z.string()).optional().meta({ description: 'wrong_type: the types that the value may have.' }),
    values: z.array(z.unknown()).optional().meta({ description: 'not_one_of: the possible values, if they are few.' }),
    min: z.int().optional().meta({ description: 'out_of_range, wrong_length: inclusive.' }),
    max: z.int().optional().meta({ description: 'out_of_range, wrong_length: inclusive.' }),
    position: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'malformed_json: the index of the first character that cannot stand there.' }),
  })
  .meta({ id: 'FieldError' })

/** The standard error body. */
export const errorBody = z
  .looseObject({
    code: z.string().meta({ enum: Object.keys(errorCodes).toSorted() }),
    message: z.string(),
    errors: z.array(fieldError).optional(),
  })
  .meta({ id: 'Error', description: 'Go by `code`. Some codes bring members of their own.' })

/** The envelope of OAuth2. */
export const oauth2Error = z
  .object({
    error: z.enum(['invalid_request', 'invalid_client', 'invalid_grant', 'invalid_scope']),
    error_description: z.string(),
  })
  .meta({ id: 'OAuth2Error' })

/** The body of 429. */
export const rateLimitedBody = z
  .object({
    code: z.literal('RATE_LIMITED'),
    message: z.string(),
    global: z.boolean(),
    retry_after: z.number().min(0.001).meta({ description: 'Seconds until one more request is admitted.' }),
  })
  .meta({ id: 'RateLimited' })
