import type { TestAnswer, TestGuildhall } from '../../support/test-guildhall.ts'
import { bodyOf } from './answers.ts'
import { messagesPath } from './messages.ts'

interface Holder {
  readonly token: string
}

/** The requests about the reactions to messages of a channel. */
export function reactionsOn({ request }: Pick<TestGuildhall, 'request'>, channel: string) {
  const at = (message: string, emoji?: string, whose?: string): string =>
    [messagesPath(channel, message), 'reactions', ...[emoji, whose].filter((part) => part !== undefined)]
      .map((part, index) => (index === 2 ? encodeURIComponent(part) : part))
      .join('/')
  return {
    add: ({ token }: Holder, message: string, emoji: string, query = ''): Promise<TestAnswer> =>
      request('PUT', `${at(message, emoji, '@me')}${query}`, { token }),
    remove: ({ token }: Holder, message: string, emoji: string, whose = '@me', query = ''): Promise<TestAnswer> =>
      request('DELETE', `${at(message, emoji, whose)}${query}`, { token }),
    removeEmoji: ({ token }: Holder, message: string, emoji: string): Promise<TestAnswer> =>
      request('DELETE', at(message, emoji), { token }),
    removeAll: ({ token }: Holder, message: string): Promise<TestAnswer> => request('DELETE', at(message), { token }),
    list: ({ token }: Holder, message: string, emoji: string, query = ''): Promise<TestAnswer> =>
      request('GET', `${at(message, emoji)}${query}`, { token }),
    users: ({ token }: Holder, message: string, emoji: string, query = ''): Promise<TestAnswer> =>
      request('GET', `${at(message, emoji, 'users')}${query}`, { token }),
    of: async ({ token }: Holder, message: string): Promise<unknown> =>
      bodyOf(await request('GET', messagesPath(channel, message), { token }))['reactions'],
  }
}
