import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { processManager } from '../../../application/processes/process-manager.ts'
import { managerOf, processManagers, processNames } from '../../../application/processes/process-managers.ts'
import { eventCatalogs } from '../../../domain/aggregates.ts'
import { unfinishedProjection } from '../../../projections/unfinished/projector.ts'

const page = (file: string): string => readFileSync(new URL(`../../../docs/${file}`, import.meta.url), 'utf8')
const types = Object.values(eventCatalogs).flatMap(({ events }) => Object.keys(events))

describe.each(processManagers)('the process manager $name', (manager) => {
  const { name, beginsWith, endsWith, mayBeginWithAny } = manager

  it('begins its steps with events that there are, and ends them with such', () => {
    expect(beginsWith.length > 0 || mayBeginWithAny).toBe(true)
    expect(endsWith).not.toHaveLength(0)
    expect(types).toStrictEqual(expect.arrayContaining([...beginsWith, ...endsWith]))
  })

  it('is told each of those events by the read model of unfinished steps', () => {
    expect(unfinishedProjection.handles).toStrictEqual(expect.arrayContaining([...beginsWith, ...endsWith]))
  })

  it('is found by its name, and finishes its steps', () => {
    expect(managerOf({ process: name })).toBe(manager)
    expect(manager.finish).toBeTypeOf('function')
  })

  it('has its row on the reference page, and stands on the page of durable effects', () => {
    const rows = page('reference/process-managers.md')
      .split('\n')
      .filter((line) => line.startsWith(`| \`${name}\` | `))
    expect(rows).toHaveLength(1)
    for (const type of [...beginsWith, ...endsWith]) expect(rows[0]).toContain(`\`${type}\``)
    expect(page('durable-effects.md')).toContain(`\`${name}\``)
  })
})

describe('process managers', () => {
  it('have names of their own', () => {
    expect(new Set(processNames).size).toBe(processManagers.length)
  })

  it('finish their steps with the data of the events that begin them, as the compiler knows', () => {
    const declared = processManager({
      name: 'of_a_test',
      unfinished: 'Never.',
      finishing: 'Nothing.',
      begins: { GuildCreated: ({ data }) => ({ key: data.guildId, data }) },
      ends: { GuildDeleted: ({ data }) => [{ key: data.guildId }] },
      // @ts-expect-error -- no such member is in the data of GuildCreated
      finish: async (_, { data }) => [data.ownerId, data.redemptionId],
    })
    expect(declared.beginsWith).toStrictEqual(['GuildCreated'])
  })
})
