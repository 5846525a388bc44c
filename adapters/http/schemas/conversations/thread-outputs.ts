import { z } from 'zod'
import { threadSchema, threadMemberSchema } from '../../../../application/wire-objects/conversations/thread-objects.ts'

const threadList = { threads: z.array(threadSchema).readonly(), members: z.array(threadMemberSchema).readonly() }

export const activeThreads = z.object(threadList)
export const threadPage = z.object({ ...threadList, has_more: z.boolean().describe('Whether there is another page.') })
export const foundThreads = z.object({
  ...threadList,
  has_more: z.boolean().describe('Whether there is another page.'),
  total_results: z.int().describe('How many there are on all pages.'),
})
