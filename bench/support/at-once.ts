/** Does a task with each item, in their order, this many of them at a time. */
export async function atOnce<Item>(
  atOnce_max: number,
  items: readonly Item[],
  task: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: atOnce_max }, async () => {
      for (let index = next++; index < items.length; index = next++) await task(items[index] as Item, index)
    }),
  )
}
