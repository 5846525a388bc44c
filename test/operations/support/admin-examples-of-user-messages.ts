import type { AdminExample, ExampleStage } from './admin-example.ts'

const users = '/v1/admin/users'
const entries = [{ channel_id: '1', message_id: '2' }]

/** The deletion of accounts' messages. */
export const userMessageExamples: Readonly<Record<string, AdminExample>> = {
  'Delete all user messages': {
    succeeds: () => ({ path: `${users}/1/messages` }),
    refused: () => ({ path: `${users}/ada/messages`, status: 400 }),
  },
  'Shred user messages': {
    succeeds: () => ({ path: `${users}/1/message-shreds`, body: { entries } }),
    refused: () => ({ path: `${users}/1/message-shreds`, body: { entries: [] }, status: 400 }),
  },
  'Get message shred job': {
    succeeds: () => ({ path: '/v1/admin/messages/shreds/1' }),
    refused: () => ({ path: '/v1/admin/messages/shreds/job', status: 400 }),
  },
  'Cancel scheduled message deletion': {
    succeeds: async ({ guildhall }: ExampleStage) => ({
      path: `${users}/${(await guildhall.register()).id}/message-deletion`,
    }),
    refused: () => ({ path: `${users}/1/message-deletion`, status: 404 }),
  },
}
