import Box from '@mui/material/Box'
import { useTheme } from '@mui/material/styles'
import { Background, Controls, Position, ReactFlow, type Edge, type Node } from '@xyflow/react'
import { useMemo, useRef, type FocusEvent, type KeyboardEvent } from 'react'
import { useTranslate } from 'react-admin'
import { linksIn, neighbour, placed, type ChainLink } from './chain.ts'

const layer_px = 280
const row_px = 76
const width_px = 230
const smallestZoom = 0.1

export interface ChainProps {
  readonly chains: readonly ChainLink[]
  readonly chosen: string | undefined
  readonly onChoice: (id: string) => void
}

/** Chains as a graph from left to right. Arrow keys walk along it: left to the cause, right to the effects, up and down beside. */
export function ChainGraph({ chains, chosen, onChoice }: ChainProps) {
  const translate = useTranslate()
  const { palette } = useTheme()
  const area = useRef<HTMLDivElement>(null)
  const byId = useMemo(() => new Map(linksIn(chains).map((link) => [link.id, link])), [chains])
  // The same nodes as long as the chains are: others would be hidden until they are measured, and lose the focus.
  const nodes = useMemo(() => nodesOf(chains, (kind) => translate(`console.history.kind_${kind}`)), [chains, translate])
  const walk = (event: KeyboardEvent): void => {
    const link = byId.get(idAt(event.target) ?? '')
    const next = link && neighbour(link, event.key, chains)
    if (!next) return
    event.preventDefault()
    event.stopPropagation()
    area.current?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(next.id)}"]`)?.focus()
  }
  const focus = (event: FocusEvent): void => {
    const id = idAt(event.target)
    if (id !== undefined) onChoice(id)
  }
  return (
    <Box
      ref={area}
      role="group"
      aria-label={translate('console.history.graph_help')}
      onKeyDownCapture={walk}
      onFocusCapture={focus}
      sx={{
        height: '60vh',
        minHeight: 320,
        border: 1,
        borderColor: 'divider',
        ...(chosen !== undefined && {
          [`& .react-flow__node[data-id="${CSS.escape(chosen)}"]`]: { outline: `3px solid ${palette.primary.main}` },
        }),
      }}
    >
      <ReactFlow
        nodes={nodes}
        edges={edgesOf(byId.values())}
        colorMode={palette.mode}
        nodesDraggable={false}
        nodesConnectable={false}
        edgesFocusable={false}
        disableKeyboardA11y={false}
        minZoom={smallestZoom}
        fitView
        fitViewOptions={{ maxZoom: 1, minZoom: 0.6 }}
        onNodeClick={(_, { id }) => onChoice(id)}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </Box>
  )
}

/** The nodes of a graph, in the order in which Tab goes through them. */
function nodesOf(chains: readonly ChainLink[], kindText: (kind: ChainLink['kind']) => string): Node[] {
  const inOrder = placed(chains).toSorted((one, other) => one.layer - other.layer || one.row - other.row)
  return inOrder.map(({ link, layer, row }) => ({
    id: link.id,
    position: { x: layer * layer_px, y: row * row_px },
    data: { label: <Label kind={kindText(link.kind)} text={link.text} /> },
    ariaLabel: `${kindText(link.kind)}: ${link.text}`,
    sourcePosition: Position.Right,
    targetPosition: Position.Left,
    style: { width: width_px, padding: 6 },
  }))
}

function edgesOf(links: Iterable<ChainLink>): Edge[] {
  return [...links].flatMap(({ id, cause }) =>
    cause ? [{ id: `${cause.id}-${id}`, source: cause.id, target: id }] : [],
  )
}

function idAt(target: EventTarget): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('.react-flow__node')?.dataset['id'] : undefined
}

function Label({ kind, text }: { readonly kind: string; readonly text: string }) {
  return (
    <Box sx={{ textAlign: 'start', overflow: 'hidden' }}>
      <Box sx={{ fontSize: 11 }}>{kind}</Box>
      <Box
        component="bdi"
        sx={{ display: 'block', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
      >
        {text}
      </Box>
    </Box>
  )
}
