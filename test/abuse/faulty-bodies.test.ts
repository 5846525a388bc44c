import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { isSchema } from '../../adapters/http/operation.ts'
import { allOperations } from '../../adapters/http/operations/all-operations.ts'
import { layersOf } from '../../adapters/http/schemas/layers.ts'
import { readAtMost } from '../../adapters/http/schemas/lists.ts'
import { entriesMax, listSchema } from '../../adapters/http/request/input/bounded-lists.ts'
import { faults_max, parse } from '../../adapters/http/request/input/input.ts'
import { memberSchema } from '../../adapters/http/schemas/member-schema.ts'
import { templateChannels_max, templateRoles_max } from '../../domain/guild/template/template.ts'
import { expectRefusal } from '../operations/support/answers.ts'
import { openServer } from '../operations/support/scene.ts'
import { expectLinearIn } from '../support/growth.ts'

/** Bodies in which everything is wrong. */

const bodies = allOperations.flatMap(({ name, body }) => (isSchema(body) ? [{ name, body }] : []))
const depth_max = 6
/** Enough to reveal quadratic time: 64 times as long as for an eighth of it. */
const members = 4000

interface Place {
  readonly path: readonly string[]
  readonly schema: z.core.$ZodType
}

/** The places in a body, including lists and objects, by the names in their schema. */
function placesOf(schema: z.core.$ZodType, path: readonly string[] = []): readonly Place[] {
  if (path.length > depth_max) return []
  const list = listSchema(schema)
  const below = list
    ? placesOf(list._zod.def.element, [...path, '0'])
    : namesOf(schema).flatMap((name) => {
        const member = memberSchema(schema, name)
        return member ? placesOf(member, [...path, name]) : []
      })
  return [{ path, schema }, ...below]
}

/** The members that a schema names; none if it is not an object's schema. */
function namesOf(schema: z.core.$ZodType): readonly string[] {
  return layersOf(schema).flatMap(({ _zod: { def } }) => (def.type === 'object' ? Object.keys(def.shape) : []))
}

/** A body with one value at one of its places. */
const bodyWith = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight((inner, name) => (name === '0' ? [inner] : { [name]: inner }), value)

describe.each(bodies)('a body of $name', ({ body }) => {
  const places = placesOf(body)

  it('has no list without a bound', () => {
    const lists = places.flatMap(({ path, schema }) => {
      const list = listSchema(schema)
      return list ? [{ path: path.join('.'), list }] : []
    })
    const unbounded = lists.filter(({ list }) => entriesMax(list) === Infinity && !readAtMost.has(list))
    expect(unbounded.map(({ path }) => path)).toEqual([])
  })

  it('takes time in proportion to its faults, members and texts', () => {
    for (const { path, schema } of places) {
      if (path.length > 0 && !listSchema(schema) && namesOf(schema).length === 0) continue
      const wrongs = [
        (size: number) => Array.from({ length: size }, (_, index) => index),
        (size: number) => Object.fromEntries(Array.from({ length: size }, (_, index) => [`x${index}`, index])),
        (size: number) => 'x'.repeat(size * 10),
      ]
      for (const wrong of wrongs) {
        // A list may be shortened while it is read, so each reading gets its own copy.
        expectLinearIn(
          members,
          (size) => wrong(size),
          (value) => parse(body, bodyWith(path, structuredClone(value)), true),
        )
      }
    }
  })
})

describe('a template that is wrong in all of its parts', async () => {
  const guildhall = await openServer()
  const ada = await guildhall.register()
  const create = (template: unknown) =>
    guildhall.request('POST', '/v1/guilds', { token: ada.token, body: { name: 'Home', template } })
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

  it(`gets a list of ${faults_max} faults and no more`, async () => {
    const { status, body } = await create({ name: 'x', roles: numbers(200_000 - 10), channels: [] })
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'INVALID_FORM_BODY' })
    expect((body as { readonly errors: readonly unknown[] }).errors).toHaveLength(faults_max)
  })

  it('is refused as a template if it has more roles or channels than any template may have', async () => {
    const roles = numbers(templateRoles_max + 1).map((id) => ({ id: id + 1 }))
    const channels = numbers(templateChannels_max + 1).map((id) => ({ id: id + 1, type: 0, position: id }))
    expectRefusal(await create({ name: 'x', roles, channels: [] }), 400, 'GUILD_TEMPLATE_INVALID')
    expectRefusal(await create({ name: 'x', roles: [], channels }), 400, 'GUILD_TEMPLATE_INVALID')
    expectRefusal(
      await create({ name: 'x', roles: [...roles, ...numbers(90_000)], channels: [] }),
      400,
      'GUILD_TEMPLATE_INVALID',
    )
  })
})
