import { z } from 'zod'
import { authToken } from './auth.js'
import { textInput } from '../scalars.js'

const secretText = textInput({ min: 1, max: 256 })

/** The token from a mail (reference identity 4.11, row 20). */
export const ipAuthorization = z.object({ token: secretText })

/** The ticket of a waiting device, in a body or a query (reference identity 4.11, rows 21 and 22). */
export const waitingTicket = z.object({ ticket: secretText })

/** IP authorisation poll (reference identity 4.1). */
export const ipAuthorizationPoll = z
  .union([z.object({ completed: z.literal(false) }), authToken.extend({ completed: z.literal(true) })])
  .meta({ id: 'IpAuthorizationPoll' })
