// The three classical steps of a layered drawing, without any knowledge of states: rows, order within rows, places.
// Pure functions over numbers, so that they run in Node as well as in a browser.

/** Finds the links that close a cycle, searching from `starts` first: a Set of indexes into `links`. */
export function closingLinks(count, links, starts) {
  const leaving = Array.from({ length: count }, () => []);
  links.forEach((link, index) => { if (link.from !== link.to) leaving[link.from].push(index); });
  const mark = new Array(count).fill(0);
  const closing = new Set();
  const visit = (root) => {
    if (mark[root]) return;
    const path = [[root, 0]];
    mark[root] = 1;
    while (path.length) {
      const top = path[path.length - 1];
      const index = leaving[top[0]][top[1]++];
      if (index === undefined) {
        mark[top[0]] = 2;
        path.pop();
      } else if (mark[links[index].to] === 1) {
        closing.add(index);
      } else if (mark[links[index].to] === 0) {
        mark[links[index].to] = 1;
        path.push([links[index].to, 0]);
      }
    }
  };
  for (const start of starts) visit(start);
  for (let node = 0; node < count; node++) visit(node);
  return closing;
}

/** The rank of each node: every link leads at least one rank down once `closing` ones are turned round. */
export function ranks(count, links, closing) {
  const down = links
    .map((link, index) => (closing.has(index) ? { from: link.to, to: link.from } : link))
    .filter((link) => link.from !== link.to);
  const rank = new Array(count).fill(0);
  for (let round = 0, moved = true; moved && round <= count; round++) {
    moved = false;
    for (const link of down) {
      if (rank[link.to] < rank[link.from] + 1) {
        rank[link.to] = rank[link.from] + 1;
        moved = true;
      }
    }
  }
  shorten(rank, down);
  return rank;
}

/** Moves nodes as far as their links allow to where these are shortest in sum. */
function shorten(rank, down) {
  const above = rank.map(() => []);
  const below = rank.map(() => []);
  for (const link of down) {
    above[link.to].push(link.from);
    below[link.from].push(link.to);
  }
  for (let round = 0; round < 8; round++) {
    let moved = false;
    for (let node = 0; node < rank.length; node++) {
      const low = Math.max(-1, ...above[node].map((other) => rank[other])) + 1;
      const high = Math.min(Infinity, ...below[node].map((other) => rank[other])) - 1;
      const pull = below[node].length - above[node].length;
      const wanted = pull > 0 && high !== Infinity ? high : pull < 0 || above[node].length ? low : rank[node];
      if (wanted !== rank[node]) {
        rank[node] = wanted;
        moved = true;
      }
    }
    if (!moved) break;
  }
  const first = Math.min(...rank);
  for (let node = 0; node < rank.length; node++) rank[node] -= first;
}

/**
 * Orders the items of each row so that few links cross.
 *
 * `rows` are lists of items; `links` are pairs of items in neighbouring rows, upper one first. An item has `fixed`
 * when its place among the other fixed ones of its row must not change. The rows are sorted in place.
 */
export function order(rows, links) {
  const above = new Map();
  const below = new Map();
  for (const row of rows) for (const item of row) { above.set(item, []); below.set(item, []); }
  for (const [upper, lower] of links) {
    below.get(upper).push(lower);
    above.get(lower).push(upper);
  }
  const place = new Map();
  const number = () => rows.forEach((row) => row.forEach((item, index) => place.set(item, index)));
  number();
  let best = rows.map((row) => [...row]);
  let least = crossings(rows, below, place);
  for (let round = 0; round < 16 && least > 0; round++) {
    const isDown = round % 2 === 0;
    const sequence = isDown ? rows : [...rows].reverse();
    for (const row of sequence) {
      sortByNeighbours(row, isDown ? above : below, place);
      row.forEach((item, index) => place.set(item, index));
    }
    swapNeighbours(rows, above, below, place);
    const count = crossings(rows, below, place);
    if (count < least) {
      least = count;
      best = rows.map((row) => [...row]);
    }
  }
  best.forEach((row, index) => { rows[index].splice(0, rows[index].length, ...row); });
}

function sortByNeighbours(row, neighbours, place) {
  const wish = new Map(row.map((item, index) => {
    const list = neighbours.get(item);
    const mean = list.reduce((sum, other) => sum + place.get(other), 0) / list.length;
    return [item, list.length ? mean : index];
  }));
  const fixed = row.filter((item) => item.fixed);
  row.sort((one, other) => wish.get(one) - wish.get(other) || place.get(one) - place.get(other));
  if (!fixed.length) return;
  let next = 0;
  row.forEach((item, index) => { if (item.fixed) row[index] = fixed[next++]; });
}

function swapNeighbours(rows, above, below, place) {
  for (let round = 0, improved = true; improved && round < 4; round++) {
    improved = false;
    for (const row of rows) {
      for (let index = 0; index + 1 < row.length; index++) {
        const [left, right] = [row[index], row[index + 1]];
        if (left.fixed && right.fixed) continue;
        const gain = pairCrossings(left, right, above, place) + pairCrossings(left, right, below, place)
          - pairCrossings(right, left, above, place) - pairCrossings(right, left, below, place);
        if (gain > 0) {
          row[index] = right;
          row[index + 1] = left;
          place.set(right, index);
          place.set(left, index + 1);
          improved = true;
        }
      }
    }
  }
}

function pairCrossings(left, right, neighbours, place) {
  let count = 0;
  for (const one of neighbours.get(left)) {
    for (const other of neighbours.get(right)) if (place.get(one) > place.get(other)) count++;
  }
  return count;
}

function crossings(rows, below, place) {
  let count = 0;
  for (const row of rows) {
    for (let left = 0; left < row.length; left++) {
      for (let right = left + 1; right < row.length; right++) {
        count += pairCrossings(row[left], row[right], below, place);
      }
    }
  }
  return count;
}

/**
 * Places numbers as near as possible to what they want, keeping their order and the distances between them.
 *
 * `wishes`: [{ at, weight }] in order; `gaps[i]` the least distance between i and i + 1. Least squares, exactly.
 */
export function spread(wishes, gaps) {
  let shift = 0;
  const shifts = wishes.map((_, index) => {
    if (index > 0) shift += gaps[index - 1];
    return shift;
  });
  const blocks = [];
  wishes.forEach((wish, index) => {
    let block = { sum: (wish.at - shifts[index]) * wish.weight, weight: wish.weight, count: 1 };
    while (blocks.length && blocks[blocks.length - 1].sum / blocks[blocks.length - 1].weight
      > block.sum / block.weight) {
      const before = blocks.pop();
      block = { sum: before.sum + block.sum, weight: before.weight + block.weight, count: before.count + block.count };
    }
    blocks.push(block);
  });
  return blocks.flatMap((block) => new Array(block.count).fill(block.sum / block.weight))
    .map((at, index) => at + shifts[index]);
}

/**
 * Gives each item of ordered rows its `x` (the middle), near to the items it is linked with.
 *
 * `links`: [{ upper, lower, upperAt(), lowerAt(), weight }]; the two functions say how far from an item's middle the
 * link begins. `distance(one, other)` is the least distance between the middles of two neighbours.
 */
export function placeInRows(rows, links, distance) {
  const ofItem = new Map();
  for (const row of rows) {
    let x = 0;
    row.forEach((item, index) => {
      if (index > 0) x += distance(row[index - 1], item);
      item.x = x;
      ofItem.set(item, { above: [], below: [] });
    });
    for (const item of row) item.x -= x / 2;
  }
  for (const link of links) {
    ofItem.get(link.upper).below.push(link);
    ofItem.get(link.lower).above.push(link);
  }
  const settle = (row, sides) => {
    const wishes = row.map((item) => {
      let weight = 0;
      let sum = 0;
      for (const side of sides) {
        for (const link of ofItem.get(item)[side]) {
          const at = side === "above"
            ? link.upper.x + link.upperAt() - link.lowerAt()
            : link.lower.x + link.lowerAt() - link.upperAt();
          sum += at * link.weight;
          weight += link.weight;
        }
      }
      return weight ? { at: sum / weight, weight } : { at: item.x, weight: 0.01 };
    });
    const gaps = row.slice(1).map((item, index) => distance(row[index], item));
    spread(wishes, gaps).forEach((x, index) => { row[index].x = x; });
  };
  for (let round = 0; round < 12; round++) {
    for (const row of rows) settle(row, ["above"]);
    for (const row of [...rows].reverse()) settle(row, ["below"]);
  }
  for (let round = 0; round < 24; round++) {
    const sequence = round % 2 ? [...rows].reverse() : rows;
    for (const row of sequence) settle(row, ["above", "below"]);
  }
}
