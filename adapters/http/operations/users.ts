import { accounts } from '../access.js'
import { perUser } from '../bucket.js'
import { none, operation } from '../operation.js'
import { currentUser } from '../schemas/users.js'

export const getCurrentUserOperation = operation({
  name: 'Get current user',
  route: 'GET /v1/users/@me',
  access: accounts({ bots: true, scope: 'identify' }),
  bucket: perUser('user:settings:get', { requests: 40, seconds: 10 }),
  params: none,
  query: none,
  body: none,
  replies: { 200: currentUser },
  handle: ({ caller }, { accounts: ours }) => Promise.resolve(ours.current(caller)),
})
