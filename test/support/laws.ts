import type fc from 'fast-check'
import { describe } from 'vitest'
import { aggregates, eventCatalogs, type AggregateName, type CommandOf } from '../../domain/aggregates.ts'
import { deciderOf } from '../../domain/testing/every-aggregate.ts'
import { lawsOf, lives } from '../../domain/testing/laws.ts'
import { property } from './property.ts'

/** Laws that hold for every aggregate and every history. Each aggregate's own test calls this with commands for it. */
export function laws<Name extends AggregateName>(name: Name, commands: fc.Arbitrary<CommandOf<Name>>): void {
  const { category, events } = eventCatalogs[aggregates[name].category]
  const decider = deciderOf(name)
  // All laws are given the same lives, so these are made once.
  const all = lives(decider, commands)
  describe(`every ${category}`, () => {
    for (const { sentence, check } of lawsOf(decider, Object.keys(events)))
      property(sentence, all, (life) => {
        check(life)
      })
  })
}
