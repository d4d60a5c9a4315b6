//! The pieces of a size that are left at a moment. Pure; `pieces_left` in SQL says the same.

use kernel::time::Timestamp;

use super::{MOST, Today};

/// The columns of a sub-product that say how much of it may be sold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stock {
    /// Pieces, until `refill_at`; none: nobody counts.
    pub quantity: Option<i32>,
    /// Pieces of each business day; none: nothing refills.
    pub daily: Option<i32>,
    /// From when `daily` holds. There exactly with `daily`.
    pub refill_at: Option<Timestamp>,
    /// Off until then; past: not any more.
    pub off_until: Option<Timestamp>,
}

impl Stock {
    /// As it holds at this moment: what is over by the clock is gone.
    pub(crate) fn at(self, now: Timestamp) -> Self {
        let refilled = self.refill_at.is_some_and(|at| at <= now);
        Self {
            quantity: if refilled { self.daily } else { self.quantity },
            off_until: self.off_until.filter(|until| *until > now),
            ..self
        }
    }

    /// Pieces that may be sold; none: any number.
    #[cfg(test)]
    pub(crate) fn left(self, now: Timestamp) -> Option<i32> {
        let Self { quantity, off_until, .. } = self.at(now);
        if off_until.is_some() { Some(0) } else { quantity }
    }

    /// When it refills next: a moment that is still to come stays, though days may begin at another time since.
    fn refills(self, today: Today) -> Timestamp {
        self.refill_at.filter(|at| *at > today.now).unwrap_or(today.ends)
    }

    /// With another quantity; without one nothing refills any more.
    pub(crate) fn set(self, quantity: Option<i32>, today: Today) -> Self {
        let daily = self.daily.filter(|_| quantity.is_some());
        Self { quantity, daily, refill_at: daily.map(|_| self.refills(today)), ..self.at(today.now) }
    }

    /// Refills to so many pieces from the next business day on. What nobody counted is counted from now on.
    pub(crate) fn refill(self, daily: Option<i32>, today: Today) -> Self {
        let now = self.at(today.now);
        let quantity = now.quantity.or(daily);
        Self { quantity, daily, refill_at: daily.map(|_| self.refills(today)), ..now }
    }

    /// So many pieces more or less, between 0 and the most there may be; none where nobody counts. An order may have
    /// left more than people may set.
    pub(crate) fn add(self, pieces: i32, today: Today) -> Option<Self> {
        let quantity = self.at(today.now).quantity?;
        let most = MOST.max(quantity);
        Some(self.set(Some(quantity.saturating_add(pieces).clamp(0, most)), today))
    }
}

#[cfg(test)]
mod tests;
