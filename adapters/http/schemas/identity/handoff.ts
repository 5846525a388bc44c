import { z } from 'zod'
import { accountIdInput, orNull, textInput } from '../scalars.ts'
import { clientInfo } from './sessions.ts'
import { snowflakeOutput, timestampOutput, secretOutput } from '../../../../application/wire-objects/scalars.ts'
import { partialUserSchema } from '../../../../application/wire-objects/identity/user-objects.ts'

/** In any case, with or without hyphens and spaces: the use case parses it. */
const code = z.string().meta({ description: 'Twelve characters, shown as two groups of six with a hyphen.' })
const secret = textInput({ min: 1, max: 256 })

/** The code in the path. */
export const handoffCode = z.object({ code })

/** The body of Complete handoff. Without a token the session of the header signs the other device in. */
export const handoffCompletion = z
  .object({ code, token: orNull(z.string()), user_id: accountIdInput })
  .transform(({ user_id: userId, ...given }) => ({ ...given, userId }))

export const handoffPoll = z.object({ poll_secret: secret })

export const startedHandoff = z
  .object({
    code: secretOutput,
    expires_at: timestampOutput,
    poll_secret: secretOutput.describe('Only the client that began the handoff has it.'),
  })
  .meta({ id: 'HandoffInitiation' })

export const handoffInfo = z
  .object({
    status: z.enum(['pending', 'expired']),
    client_info: clientInfo.nullable().describe('The client that began the session; null if it is not known.'),
  })
  .meta({ id: 'HandoffInfo' })

/** The last three members are given together, once the handoff is completed. */
export const handoffStatus = z
  .object({
    status: z.enum(['pending', 'expired', 'completed']),
    token: secretOutput.optional(),
    user_id: snowflakeOutput.optional(),
    user: partialUserSchema.optional(),
  })
  .meta({ id: 'HandoffStatus' })
