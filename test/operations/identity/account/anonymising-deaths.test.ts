import { beforeEach, describe, expect, it } from 'vitest'
import type { AuthorMessages } from '../../../../application/ports/author-messages.ts'
import { anonymised_count } from '../../../../adapters/messages/anonymise.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { anonymising } from '../../support/anonymised.ts'
import type { TestGuild } from '../../support/answers.ts'
import { everyRow } from '../../support/erasure.ts'
import { writtenBy } from '../../support/message-shreds.ts'
import { foundWith, openServer } from '../../support/scene.ts'

/** A worker that gives messages of erased accounts another author may die at any instant. */

const guildhall = await openServer()
const { store } = guildhall
const { anonymise, authorsIn, erased, writeMany } = anonymising(guildhall)
let ada: TestAccount
let brian: TestAccount
let home: TestGuild

beforeEach(async () => {
  ;[ada, brian] = [await guildhall.register(), await guildhall.register()]
  home = await foundWith(guildhall, brian, ada)
})

describe('a worker that dies while it anonymises messages', () => {
  const calls = [
    'addSpareAuthors',
    'drawAnonymousAuthor',
    'anonymise',
    'anonymiseReplies',
    'notePassed',
    'forgetAnonymousAuthor',
  ] as const
  const deaths = calls.flatMap((call) => [
    { call, isDone: false, times: 1 },
    { call, isDone: true, times: 1 },
  ])

  it.each([...deaths, { call: 'anonymise', isDone: true, times: 2 } as const])(
    'is followed by one that goes on with the same author: $call, done $isDone, $times',
    async (death) => {
      await writeMany(ada, home.channel, anonymised_count + 20)
      await erased(ada)
      await store.database.pool.query('delete from messages.spare_authors')
      const ports = { ...guildhall.ports, authorMessages: dyingAt(death) }
      await expect(anonymise(ada, ports)).rejects.toThrow('died')
      expect(await anonymise(ada)).toBe(true)
      expect(await anonymise(ada)).toBe(false)
      expect((await authorsIn(home.channel)).filter(({ author_id: author }) => author !== brian.id)).toMatchObject([
        { count: anonymised_count + 21 },
      ])
      expect(await writtenBy(guildhall, ada)).toStrictEqual([])
      expect(await everyRow(guildhall)).not.toContain('messages.anonymous_authors ')
    },
  )
})

interface Death {
  readonly call: Exclude<
    keyof AuthorMessages,
    'count' | 'page' | 'shred' | 'pass' | 'shredded' | 'anonymousAuthorOf' | 'spareAuthorCount'
  >
  /** Whether the call still took place. */
  readonly isDone: boolean
  /** At which call it dies, from 1. */
  readonly times: number
}

/** The messages of authors, for a process that dies at a call. */
function dyingAt({ call, isDone, times }: Death): AuthorMessages {
  const { authorMessages } = guildhall.ports
  let count = 0
  const dying = async (carryOut: () => Promise<unknown>): Promise<never> => {
    if (isDone) await carryOut()
    throw new Error('died')
  }
  const at = <Result>(name: Death['call'], carryOut: () => Promise<Result>): Promise<Result> => {
    if (name === call) count += 1
    return name === call && count === times ? dying(carryOut) : carryOut()
  }
  return {
    ...authorMessages,
    addSpareAuthors: (accounts) => at('addSpareAuthors', () => authorMessages.addSpareAuthors(accounts)),
    drawAnonymousAuthor: (one) => at('drawAnonymousAuthor', () => authorMessages.drawAnonymousAuthor(one)),
    anonymise: (one, other) => at('anonymise', () => authorMessages.anonymise(one, other)),
    anonymiseReplies: (one, other) => at('anonymiseReplies', () => authorMessages.anonymiseReplies(one, other)),
    notePassed: (one) => at('notePassed', () => authorMessages.notePassed(one)),
    forgetAnonymousAuthor: (one) => at('forgetAnonymousAuthor', () => authorMessages.forgetAnonymousAuthor(one)),
  }
}
