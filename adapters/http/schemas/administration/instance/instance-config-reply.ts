import { z } from 'zod'

/** The result of testing a mail server. */
export const mailServerTestResult = z.object({
  ok: z.boolean().describe('Whether the mail server took the mail.'),
  error: z.string().optional(),
})
