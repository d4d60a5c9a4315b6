/** From so many corners on a shape is offered to be simplified. */
export const MANY_POINTS = 100;
/** How far the outline may move, in metres. */
export const TOLERANCES = [2, 5, 10, 25, 50, 100] as const;
