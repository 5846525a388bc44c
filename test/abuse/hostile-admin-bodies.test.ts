import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { isSchema, type Operation } from '../../adapters/http/operation.ts'
import { allOperations } from '../../adapters/http/operations/all-operations.ts'
import { adminExamples } from '../operations/support/admin-examples.ts'
import { everyEvent, everyRow } from '../operations/support/erasure.ts'
import { openServer } from '../operations/support/scene.ts'
import { administrator } from '../support/administrators.ts'
import type { ExampleRequest } from '../operations/support/admin-example.ts'

/**
 * Misspelt ids and members with a meaning in JavaScript, in the body of every operation for administrators that has
 * one.
 */

// A server of its own: some operations change the instance.
const guildhall = await openServer({})
const admin = await administrator(guildhall, '*')
const marker = `marker${randomBytes(6).toString('hex')}`

/** One kind of blocklist stands for all: they share their schemas. */
const ofOtherBlocklists = /(?:ip|email|url|url-domain|file-sha|avatar-hash|profile-substring) blocklist/

const isHere = ({ name, callers, body, signIn, hostedOnly }: Operation): boolean =>
  !ofOtherBlocklists.test(name) && callers.kind === 'admin' && isSchema(body) && signIn !== 'username' && !hostedOnly
const operations = allOperations.filter(isHere)

async function exampleOf({ name }: Operation): Promise<ExampleRequest> {
  const example = adminExamples[name]
  if (!example) throw new Error(`${name} has no example`)
  return example.succeeds({ guildhall, admin })
}

type Json = Readonly<Record<string, unknown>>

/** The bodies in which one id is spelt like this, each with the place of the id. */
function misspelt(
  value: unknown,
  spelling: unknown,
  at = '',
): readonly { readonly at: string; readonly body: unknown }[] {
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value
    return list.flatMap((each, index) =>
      misspelt(each, spelling, at).map(({ at: place, body }) => ({ at: place, body: list.with(index, body) })),
    )
  }
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, each]) =>
      misspelt(each, spelling, name).map(({ at: place, body }) => ({ at: place, body: { ...value, [name]: body } })),
    )
  const isId = /(?:^|_)ids?$/.test(at) && typeof value === 'string' && /^\d+$/.test(value)
  return isId ? [{ at, body: spelling }] : []
}

const spellings = [
  '9223372036854775808',
  '1'.repeat(40),
  '-1',
  '007',
  '+1',
  '1e3',
  '1.5',
  '0x10',
  '١٢٣',
  '',
  '__proto__',
]

/** The members of a body that mean something in the language, in one text. */
const hostile = ['__proto__', 'constructor', 'hasOwnProperty']
  .map((key) => `"${key}":{"${marker}":"${marker}","prototype":{"${marker}":"${marker}"}}`)
  .join(',')

/** Where ids were misspelt. */
const places: string[] = []

describe('the bodies of administrators', () => {
  it.each(operations)('$name takes no misspelt id, and no member with a meaning in the language', async (one) => {
    const { path, body } = await exampleOf(one)
    for (const spelling of [...spellings, 1.5, true, {}])
      for (const wrong of misspelt(body, spelling)) {
        places.push(wrong.at)
        const isTaken = isSchema(one.body) && one.body.safeParse(wrong.body).success
        expect({ ...wrong, isTaken }).toMatchObject({ isTaken: false })
      }
    const members = JSON.stringify(body ?? {}).slice(1, -1)
    for (const text of [`{${[members, hostile].filter(Boolean).join(',')}}`, `{${hostile}}`]) {
      const answer = await guildhall.request(one.method, path, { token: admin.token, body: text })
      expect(answer.status).toBeLessThan(500)
      expect(JSON.stringify(answer.body ?? null)).not.toContain(marker)
    }
    const plain: Json = {}
    expect(plain[marker]).toBeUndefined()
  })

  it('have ids in several operations', () => {
    expect(new Set(places).size).toBeGreaterThan(2)
  })

  it('leave nothing of such members in an event or a row', async () => {
    expect(await everyEvent(guildhall)).not.toContain(marker)
    expect(await everyRow(guildhall)).not.toContain(marker)
  })
})
