import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { aggregateNames, aggregates, categories, eventCatalogs } from '../../domain/aggregates.ts'

const here = fileURLToPath(new URL('./', import.meta.url))
const tests = readdirSync(here, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => readFileSync(here + file, 'utf8'))
  .join('\n')

describe('the aggregates', () => {
  it('have a category each, by which the application names them', () => {
    const camelCase = (category: string) => category.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    expect(categories.map(camelCase)).toStrictEqual(aggregateNames)
    expect(new Set(categories).size).toBe(categories.length)
    for (const { category } of Object.values(aggregates)) expect(eventCatalogs[category].category).toBe(category)
  })

  it('have types of events that no other aggregate has', () => {
    const types = Object.values(aggregates).flatMap(({ events }) => Object.keys(events))
    expect(types.filter((type, index) => types.indexOf(type) !== index)).toStrictEqual([])
  })

  it.each(aggregateNames)('are held to the laws of all aggregates: %s', (name) => {
    expect(tests).toMatch(new RegExp(`^laws\\('${name}', `, 'm'))
  })
})
