import { useState } from 'react'
import { useGetList, useStore, type ListParams } from 'react-admin'
import { useNavigate } from 'react-router-dom'

interface Asked {
  readonly resource: string
  readonly id: string
  /** How the list is shown to whoever has not chosen otherwise. */
  readonly usual: Pick<ListParams, 'sort' | 'order' | 'perPage' | 'filter'>
  readonly path: (id: string) => string
}

/** What goes on to the record before or after this one; undefined where there is none. */
export interface Neighbours {
  readonly previous: (() => void) | undefined
  readonly next: (() => void) | undefined
}

/**
 * The records around one, in the list as the reader has filtered and sorted it. They are kept when the record leaves the list, as by
 * the decision about it: so there is always a way on.
 */
export function useNeighbours({ resource, id, usual, path }: Asked): Neighbours {
  const navigate = useNavigate()
  const [stored, setStored] = useStore<ListParams>(`${resource}.listParams`, {
    page: 1,
    displayedFilters: {},
    ...usual,
  })
  const { page, perPage, filter } = stored
  const asked = (which: number) => ({
    pagination: { page: which, perPage },
    sort: { field: stored.sort, order: stored.order },
    filter,
  })
  const { data: here, total, pageInfo } = useGetList(resource, asked(page))
  const place = here?.findIndex((record) => String(record.id) === id) ?? -1
  const isMore = pageInfo?.hasNextPage ?? (total ?? 0) > page * perPage
  const { data: after } = useGetList(resource, asked(page + 1), {
    enabled: here !== undefined && isMore && place === here.length - 1,
  })
  const { data: before } = useGetList(resource, asked(page - 1), { enabled: page > 1 && place === 0 })
  const found =
    here === undefined || place === -1
      ? undefined
      : {
          id,
          previous: here[place - 1] ? at(here[place - 1], page) : at(before?.at(-1), page - 1),
          next: here[place + 1] ? at(here[place + 1], page) : at(after?.[0], page + 1),
        }
  const [kept, setKept] = useState(found)
  if (found && !isSame(found, kept)) setKept(found)
  const around = found ?? (kept?.id === id ? kept : { id, previous: undefined, next: at(here?.[0], page) })
  const goTo = (to: At | undefined) =>
    to &&
    (() => {
      if (to.page !== page) setStored({ ...stored, page: to.page })
      void navigate(path(to.id))
    })
  return { previous: goTo(around.previous), next: goTo(around.next) }
}

interface At {
  readonly id: string
  readonly page: number
}

interface Around {
  readonly id: string
  readonly previous: At | undefined
  readonly next: At | undefined
}

function at(record: { readonly id: unknown } | undefined, page: number): At | undefined {
  return record && { id: String(record.id), page }
}

function isSame(one: Around, other: Around | undefined): boolean {
  return one.id === other?.id && one.previous?.id === other.previous?.id && one.next?.id === other.next?.id
}
