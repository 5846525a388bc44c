import { z } from 'zod'

/** Where an operation that answers with 302 sends the client. */
export const redirection = z.object({ location: z.url() })
