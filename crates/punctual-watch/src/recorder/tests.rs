mod replayed;
mod scripted;
