import { expect, it } from 'vitest'
import { SparseMap } from '../../gateway/sparse-map.ts'

it('a sparse map is a map, whether or not it ever had an entry', () => {
  const map = new SparseMap<string, number>()
  expect([map.size, map.get('a'), map.has('a'), map.keys(), map.values(), [...map]]).toStrictEqual([
    0,
    undefined,
    false,
    [],
    [],
    [],
  ])
  map.delete('a')
  map.set('a', 1)
  map.set('b', 2)
  const copy = map.copy()
  map.delete('a')
  expect([map.size, map.get('b'), map.has('b'), map.keys(), map.values(), [...map]]).toStrictEqual([
    1,
    2,
    true,
    ['b'],
    [2],
    [['b', 2]],
  ])
  map.delete('b')
  expect([[...map], [...copy]]).toStrictEqual([
    [],
    [
      ['a', 1],
      ['b', 2],
    ],
  ])
})
