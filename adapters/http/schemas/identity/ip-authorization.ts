import { z } from 'zod'
import { authToken } from './auth.ts'
import { textInput } from '../scalars.ts'

const secretText = textInput({ min: 1, max: 256 })

/** The token from a mail. */
export const ipAuthorization = z.object({ token: secretText })

/** The ticket of a waiting device, in a body or a query. */
export const waitingTicket = z.object({ ticket: secretText })

export const ipAuthorizationPoll = z
  .union([z.object({ completed: z.literal(false) }), authToken.extend({ completed: z.literal(true) })])
  .meta({ id: 'IpAuthorizationPoll' })
